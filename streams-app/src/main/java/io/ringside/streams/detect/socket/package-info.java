/// TCP sockets between ranks where nothing better was expected.
@NullMarked
package io.ringside.streams.detect.socket;

import org.jspecify.annotations.NullMarked;
