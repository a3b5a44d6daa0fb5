/// What should be: instance types, GPU models, thresholds and harmless lines as data, and how a
/// user's file changes them while the service runs. Everything but the file's watch is plain data.
@NullMarked
package io.ringside.streams.expect;

import org.jspecify.annotations.NullMarked;
