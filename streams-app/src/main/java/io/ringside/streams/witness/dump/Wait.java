package io.ringside.streams.witness.dump;

/// One rank waits for another.
///
/// @param group key of the group in which it waits
/// @param call number of the call in it
/// @param words of the call
/// @param lag how many calls the other has made less
record Wait(int rank, int on, Why why, String group, long call, String words, long lag) {}
