package io.ringside.streams.parse.event;

/// Which team a pod's label names: the agent's own line, `kubernetes: pod/llama-2 Team: nlp`.
public record PodTeam(String team) implements LineEvent {}
