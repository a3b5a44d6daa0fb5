package io.ringside.streams.examine;

import io.ringside.streams.fact.TimeBasis;
import io.ringside.streams.waits.Rounds;

/// Decides whether arrival times show which ranks waited for which. If stdout is a pipe, a program
/// writes NCCL's lines in blocks, late and in bursts, and arrival times show nothing.
public final class TimingTrust {
  /// Share of cut lines. C stdio cuts a line at the end of each block of 4 KiB, about one line in
  /// twenty; agents and kernels cut none.
  private static final double SPLICED = 0.01;

  private static final int LEAST_SPLICED = 5;

  private TimingTrust() {}

  /// Whether the arrival times of these rounds show which ranks waited.
  public static boolean trusted(Rounds rounds, Examination examination) {
    return rounds.basis() != TimeBasis.NONE
        && rounds.basis().fine()
        && !blockBuffered(rounds, examination)
        && rounds.inBursts().isEmpty()
        && !spliced(examination);
  }

  /// Whether so many rounds disagree that lines must have been lost or delayed.
  public static boolean blockBuffered(Rounds rounds, Examination examination) {
    return rounds.mismatched()
        > examination.expectations().thresholds().timing().mismatchShare() * rounds.completed();
  }

  /// Whether lines were cut and merged as by C stdio. Calls that are all alike do not disagree
  /// then, but their times are still those of blocks.
  public static boolean spliced(Examination examination) {
    var job = examination.job();
    return job.spliced() >= LEAST_SPLICED && job.spliced() >= SPLICED * job.ncclLines();
  }
}
