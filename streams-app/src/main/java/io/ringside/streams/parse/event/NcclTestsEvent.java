package io.ringside.streams.parse.event;

/// What nccl-tests print. Shapes of 2.13 to 2.19. Bandwidths are GB/s of 10^9 bytes.
public sealed interface NcclTestsEvent extends LineEvent {

  /// `# Collective test starting: all_reduce_perf`.
  record Started(String program) implements NcclTestsEvent {}

  /// `#  Rank  0 Group  0 Pid   7164 on         vm device  0 [0000:60:00] NVIDIA H200`.
  record Device(int rank, String host, String busId, String name) implements NcclTestsEvent {}

  /// One row of the table; NaN for `N/A`.
  ///
  /// @param wrong wrong elements out of place, -1 for `N/A`
  /// @param wrongInPlace wrong elements in place, -1 for `N/A`
  record Row(long bytes, double busbwGBps, long wrong, double busbwInPlaceGBps, long wrongInPlace)
      implements NcclTestsEvent {}

  /// `8388608 2097152 float sum -1`, behind which a line of NCCL was printed: halves of the row
  /// follow.
  record RowBegin(long bytes) implements NcclTestsEvent {}

  /// Half a row, `314.7 26.66 26.66 0`: out of place first, then in place.
  ///
  /// @param wrong wrong elements, -1 where not checked or not read
  record Half(double busbwGBps, long wrong) implements NcclTestsEvent {}

  /// `# Out of bounds values : 0 OK`.
  record OutOfBounds(long values, boolean ok) implements NcclTestsEvent {}

  /// `# Avg bus bandwidth    : 182.8`: all sizes are through. The mean over them is a poor measure
  /// of a fabric.
  record AverageBandwidth() implements NcclTestsEvent {}
}
