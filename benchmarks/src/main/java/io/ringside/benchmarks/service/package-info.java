/// Measures the streams service as a process beside a broker process: lines a second, latency,
/// growth, soak. Figures are of processor time, so that they hold on a machine that does other
/// things as well.
@NullMarked
package io.ringside.benchmarks.service;

import org.jspecify.annotations.NullMarked;
