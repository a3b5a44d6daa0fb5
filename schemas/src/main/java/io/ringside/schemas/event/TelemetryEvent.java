package io.ringside.schemas.event;

/// Everything that is a value on one of Ringside's public topics.
public sealed interface TelemetryEvent permits AgentEvent, Finding, RunSummary, DeadLetter {}
