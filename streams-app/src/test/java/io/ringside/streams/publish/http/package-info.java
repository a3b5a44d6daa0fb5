@NullMarked
package io.ringside.streams.publish.http;

import org.jspecify.annotations.NullMarked;
