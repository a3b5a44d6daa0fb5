/// Detects TCP sockets between ranks where no faster network was expected.
@NullMarked
package io.ringside.streams.detect.socket;

import org.jspecify.annotations.NullMarked;
