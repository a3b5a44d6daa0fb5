package io.ringside.streams.parse.event;

/// A line of NCCL's inspector profiler plugin: one JSON object. Shapes of 2.28.3 to 2.30.
public sealed interface InspectorEvent extends LineEvent {

  /// One operation on one rank. The straggler has the shortest time: it arrives last and waits least.
  ///
  /// @param commId hash of the communicator as in NCCL's log, `0x…`
  /// @param sequence number per communicator and operation; with p2p per peer as well
  /// @param op `AllReduce`, …
  /// @param peer peer of a p2p operation, else -1
  /// @param micros duration, waiting for peers included
  /// @param timingSource `kernel_gpu`, `kernel_cpu` or `collective_cpu`
  /// @param dumpMicros epoch microseconds of the dump, or -1
  record Operation(
      String commId,
      int rank,
      int nranks,
      int nodes,
      String op,
      long sequence,
      int peer,
      long bytes,
      double micros,
      String timingSource,
      double algbwGBps,
      double busbwGBps,
      String host,
      int pid,
      long dumpMicros)
      implements InspectorEvent {}
}
