package io.ringside.standalone.demo;

/// One recorded line and when it is played.
///
/// @param nanos after the start of the incident
/// @param text without the container runtime's stamp: `stdout F …`
record PlayedLine(String folder, long nanos, String text) {}
