package io.ringside.streams.job.hardware;

import io.ringside.streams.fact.PortFacts;

/// What a port counted up to a moment, since the look before.
public record PortSample(long atNanos, PortFacts facts) {}
