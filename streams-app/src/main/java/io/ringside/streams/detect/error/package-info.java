/// Detects errors that NCCL itself reports.
@NullMarked
package io.ringside.streams.detect.error;

import org.jspecify.annotations.NullMarked;
