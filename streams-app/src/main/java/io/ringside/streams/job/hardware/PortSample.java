package io.ringside.streams.job.hardware;

import io.ringside.streams.fact.PortFacts;

/// What a port counted up to a moment, since the reading before.
public record PortSample(long atNanos, PortFacts facts) {}
