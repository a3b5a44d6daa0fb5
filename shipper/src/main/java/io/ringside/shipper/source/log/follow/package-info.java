/// Log files become chunks of lines: which files, how far they were read, where a line ends, and
/// what the container runtime wrote around it. Knows files and bytes, but neither Kafka nor the
/// meaning of a line.
@NullMarked
package io.ringside.shipper.source.log.follow;

import org.jspecify.annotations.NullMarked;
