/// Expectations as data: instance types, GPU models, thresholds and harmless lines, and how a
/// user's file changes them while the service runs. Everything except the watch on the file is
/// plain data.
@NullMarked
package io.ringside.streams.expect;

import org.jspecify.annotations.NullMarked;
