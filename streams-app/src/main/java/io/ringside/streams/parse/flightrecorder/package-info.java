/// PyTorch's flight recorder: what each rank's dump says of its last calls, group by group. Dumps
/// of torch 2.1 to 2.14, in pickle and JSON form (torch/csrc/distributed/c10d/FlightRecorder.hpp).
@NullMarked
package io.ringside.streams.parse.flightrecorder;

import org.jspecify.annotations.NullMarked;
