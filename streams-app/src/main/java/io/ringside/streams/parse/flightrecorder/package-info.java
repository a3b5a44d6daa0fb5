/// PyTorch's flight recorder: each rank's dump of its last calls, group by group. Dumps of torch
/// 2.1 to 2.14, in pickle and JSON format (torch/csrc/distributed/c10d/FlightRecorder.hpp).
@NullMarked
package io.ringside.streams.parse.flightrecorder;

import org.jspecify.annotations.NullMarked;
