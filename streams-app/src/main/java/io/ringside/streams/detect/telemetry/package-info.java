/// Reports what Ringside cannot observe well: sensors without new values, log lines that never
/// arrived, agents without a heartbeat. There is one finding per node, under each job that runs on
/// the node.
@NullMarked
package io.ringside.streams.detect.telemetry;

import org.jspecify.annotations.NullMarked;
