/// Finds dumps of PyTorch's flight recorder, packs them whole and hands them on. Knows how a dump
/// begins and ends, but neither its content nor Kafka.
@NullMarked
package io.ringside.shipper.source.dump;

import org.jspecify.annotations.NullMarked;
