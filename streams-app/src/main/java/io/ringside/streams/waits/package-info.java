/// Who waited for whom: collective calls become rounds, rounds turns, and turns the suspicion that
/// one rank, machine or link is late. Pure arithmetic over arrival times; knows no line, run or
/// process.
@NullMarked
package io.ringside.streams.waits;

import org.jspecify.annotations.NullMarked;
