package io.ringside.schemas.event;

import java.time.Instant;
import java.util.Objects;

/// A witness that is switched on in the agent's configuration and that it has not reached, twice in
/// a row at least. It stands in each report until the witness answers again.
///
/// @param witness of what nothing is known, as a run's `notJudged` names it: `RAS`, `kernel log`
/// @param why of `RAS` a sentence without its end, `10.0.0.7:28028 did not answer`; of others what
///     the node cannot do, `may not read /dev/kmsg`
/// @param absent whether nobody is there who could answer, which may be as it should be
/// @param tries how often it was asked in vain one time after another, ten at most
/// @param since when it was first asked in vain, by the node's clock
/// @param last when it was last
public record Unreached(
    String witness, String why, boolean absent, int tries, Instant since, Instant last) {
  /// NCCL's RAS, which is there only while a job runs that has it.
  public static final String RAS = "RAS";

  /// Xids of the node's GPUs.
  public static final String KERNEL_LOG = "kernel log";

  /// Errors of ports, TCP and GPUs.
  public static final String COUNTERS = "error counters";

  /// States and errors of links between GPUs, if the node has any.
  public static final String NVLINK = "NVLink";

  /// The API server: how pods of this node end, and its conditions.
  public static final String KUBERNETES = "Kubernetes";

  public Unreached {
    Objects.requireNonNull(witness, "witness");
    Objects.requireNonNull(why, "why");
    Objects.requireNonNull(since, "since");
    Objects.requireNonNull(last, "last");
  }
}
