package io.ringside.schemas.event;

import java.time.Instant;
import java.util.Objects;

/// A witness that is enabled in the agent's configuration and that the agent failed to reach at
/// least twice in a row. Each report contains it until the witness answers again.
///
/// @param witness the unknown source, as a run's `notJudged` names it: `RAS`, `kernel log`
/// @param why for `RAS` a sentence without its final stop, `10.0.0.7:28028 did not answer`; for
///     others what the node cannot do, `may not read /dev/kmsg`
/// @param absent whether nothing is there that could answer, which may be normal
/// @param tries number of failed attempts in a row, at most ten
/// @param since when the first of them failed, by the node's clock
/// @param last when the last of them failed
public record UnreachedWitness(
    String witness, String why, boolean absent, int tries, Instant since, Instant last) {
  /// NCCL's RAS, which exists only while a job with RAS runs.
  public static final String RAS = "RAS";

  /// The kernel log with Xids of the node's GPUs.
  public static final String KERNEL_LOG = "kernel log";

  /// Error counters of ports, TCP and GPUs.
  public static final String COUNTERS = "error counters";

  /// States and errors of links between GPUs, if the node has any.
  public static final String NVLINK = "NVLink";

  /// The folders with dumps of PyTorch's flight recorder.
  public static final String FLIGHT_RECORDER = "flight recorder";

  /// The folders with files of NCCL Inspector.
  public static final String INSPECTOR = "NCCL Inspector";

  /// The API server: how pods of this node end, and its conditions.
  public static final String KUBERNETES = "Kubernetes";

  public UnreachedWitness {
    Objects.requireNonNull(witness, "witness");
    Objects.requireNonNull(why, "why");
    Objects.requireNonNull(since, "since");
    Objects.requireNonNull(last, "last");
  }
}
