/// What people and programs see of the results: views on the stores, the JSON API and the page.
/// Everything here reads; nothing changes the stream.
@NullMarked
package io.ringside.streams.publish;

import org.jspecify.annotations.NullMarked;
