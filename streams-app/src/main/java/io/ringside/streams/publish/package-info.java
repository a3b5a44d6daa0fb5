/// How people and programs see the results: views on the stores, the JSON API and the page.
/// Everything here only reads; nothing changes the stream.
@NullMarked
package io.ringside.streams.publish;

import org.jspecify.annotations.NullMarked;
