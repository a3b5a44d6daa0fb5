package io.ringside.streams.witness.dump;

/// One rank's wait for another.
///
/// @param group key of the group in which the rank waits
/// @param call number of the call in the group
/// @param words the call as text
/// @param lag how many fewer calls the other rank has made
record Wait(
    int rank, int on, AccusationReason why, String group, long call, String words, long lag) {}
