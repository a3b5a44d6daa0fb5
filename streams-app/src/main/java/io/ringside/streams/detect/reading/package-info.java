/// Reports lines that Ringside could not parse or never received.
@NullMarked
package io.ringside.streams.detect.reading;

import org.jspecify.annotations.NullMarked;
