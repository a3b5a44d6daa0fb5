package io.ringside.lab.simulate;

/// What is made to go wrong in a job.
public sealed interface Fault
    permits NetworkFault, PaceFault, ProcessFault, GpuFault, TelemetryFault, BenchFault {}
