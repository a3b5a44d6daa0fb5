package io.ringside.streams.parse.event;

/// The team that a pod's label names. The agent itself writes the line:
/// `kubernetes: pod/llama-2 Team: nlp`.
public record PodTeam(String team) implements LineEvent {}
