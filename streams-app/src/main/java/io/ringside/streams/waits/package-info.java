/// Which ranks waited for which: collective calls become rounds, rounds become turns, and turns
/// feed the suspicion that one rank, machine or link is late. Pure arithmetic over arrival times;
/// it knows no lines, runs or processes.
@NullMarked
package io.ringside.streams.waits;

import org.jspecify.annotations.NullMarked;
