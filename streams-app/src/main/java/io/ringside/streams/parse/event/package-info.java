/// What a log line can say, as sealed records: the facts that the join and the detectors work on.
/// Units are in the names, unknown numbers are `-1` (or `NaN` for durations), unknown texts are
/// `null`.
@NullMarked
package io.ringside.streams.parse.event;

import org.jspecify.annotations.NullMarked;
