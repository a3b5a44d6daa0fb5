package io.ringside.streams.examine;

import io.ringside.streams.fact.TimeBasis;
import io.ringside.streams.waits.Rounds;

/// Whether arrival times tell who waited for whom. A program whose stdout is a pipe hands NCCL's
/// lines over in blocks, late and in bursts, and then they do not.
public final class TimingTrust {
  /// C stdio cuts a line at the end of each block of 4 KiB, one in twenty; agents and kernels cut
  /// none.
  private static final double SPLICED = 0.01;

  private static final int LEAST_SPLICED = 5;

  private TimingTrust() {}

  /// Whether the arrival times of these rounds can be used to tell who waited.
  public static boolean trusted(Rounds rounds, Examination examination) {
    return rounds.basis() != TimeBasis.NONE
        && rounds.basis().fine()
        && !blockBuffered(rounds, examination)
        && rounds.inBursts().isEmpty()
        && !spliced(examination);
  }

  /// Whether so many rounds disagree that lines must have been lost or held back.
  public static boolean blockBuffered(Rounds rounds, Examination examination) {
    return rounds.mismatched()
        > examination.expectations().thresholds().timing().mismatchShare() * rounds.completed();
  }

  /// Whether lines were cut and merged as C stdio does it: calls that are all alike do not disagree
  /// then, but times are those of blocks all the same.
  public static boolean spliced(Examination examination) {
    var job = examination.job();
    return job.spliced() >= LEAST_SPLICED && job.spliced() >= SPLICED * job.ncclLines();
  }
}
