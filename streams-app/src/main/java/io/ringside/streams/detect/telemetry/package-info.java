/// What Ringside itself cannot see well: sensors that fell silent, lines that never came, agents
/// that are not heard. One finding a node, under each job that runs on it.
@NullMarked
package io.ringside.streams.detect.telemetry;

import org.jspecify.annotations.NullMarked;
