package io.ringside.schemas.event;

/// Any value on one of Ringside's public topics.
public sealed interface TelemetryEvent permits AgentEvent, Finding, RunSummary, DeadLetter {}
