package io.ringside.streams.parse.event;

/// What nccl-tests print. Shapes of 2.0 to 2.19. Bandwidths are GB/s of 10^9 bytes.
public sealed interface NcclTestsEvent extends LineEvent {

  /// `# Collective test starting: all_reduce_perf`.
  record Started(String program) implements NcclTestsEvent {}

  /// `#  Rank  0 Group  0 Pid   7164 on         vm device  0 [0000:60:00] NVIDIA H200`.
  record Device(int rank, String host, String busId, String name) implements NcclTestsEvent {}

  /// The line gives no number of wrong elements, but `N/A` or the largest error.
  int UNCOUNTED = -1;

  /// The line may give a number, but it could not be read.
  int UNREAD = -2;

  /// One row of the table; NaN for `N/A`.
  ///
  /// @param wrong wrong elements out of place, or [#UNCOUNTED]
  /// @param wrongInPlace wrong elements in place, or [#UNCOUNTED]
  /// @param error the larger of the two largest errors if it exceeds all tolerances, else 0
  record Row(
      long bytes,
      double busbwGBps,
      long wrong,
      double busbwInPlaceGBps,
      long wrongInPlace,
      double error)
      implements NcclTestsEvent {}

  /// `8388608 2097152 float sum -1`, the beginning of a row into which a line of NCCL was printed.
  /// The halves of the row follow.
  record RowBegin(long bytes) implements NcclTestsEvent {}

  /// Half a row, `314.7 26.66 26.66 0`: the first half is out of place, the second in place.
  ///
  /// @param wrong wrong elements, or [#UNCOUNTED], or [#UNREAD]
  /// @param error the largest error if it exceeds all tolerances, else 0
  record Half(double busbwGBps, long wrong, double error) implements NcclTestsEvent {}

  /// `# Out of bounds values : 0 OK`.
  record OutOfBounds(long values, boolean ok) implements NcclTestsEvent {}

  /// `# Avg bus bandwidth    : 182.8`: all sizes are done. The mean over the sizes is a poor
  /// measure of a fabric.
  record AverageBandwidth() implements NcclTestsEvent {}
}
