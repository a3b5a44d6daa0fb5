/// The facts that a log line can hold, as sealed records: input of the join and the detectors.
/// Units are in the names. Unknown numbers are `-1` (or `NaN` for durations), unknown texts are
/// `null`.
@NullMarked
package io.ringside.streams.parse.event;

import org.jspecify.annotations.NullMarked;
