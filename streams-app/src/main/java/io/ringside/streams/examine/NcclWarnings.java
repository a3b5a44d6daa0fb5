package io.ringside.streams.examine;

import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.Warned;
import java.util.List;

/// NCCL's WARN lines that may matter, without those that healthy runs print too.
public final class NcclWarnings {
  /// The proxy cannot close its side of a connection because its peers are already gone: its
  /// communicator is being destroyed (src/proxy.cc, 2.14 to 2.30). The proxy's other warnings have
  /// the same cause.
  private static final String CLOSING = "Failed to execute operation Close";

  private static final List<String> PROXY = List.of("[Service thread]", "[Proxy Service");

  /// RAS of another job on the node occupies the port, so this job runs without RAS
  /// (src/ras/client_support.cc, from 2.24 on). Bootstrap prints the same when it cannot continue.
  private static final String PORT_TAKEN = "Call to bind failed: Address already in use";

  private NcclWarnings() {}

  /// The warnings of a process, in the order in which it printed them.
  public static List<Warned> of(TrainingProcess process, Expectations expectations) {
    boolean closing =
        process.warnings().stream().anyMatch(warned -> warned.message().contains(CLOSING));
    return process.warnings().stream()
        .filter(warned -> !expectations.harmless(warned.message()))
        .filter(warned -> !process.cameUp() || !warned.message().contains(PORT_TAKEN))
        .filter(warned -> !closing || PROXY.stream().noneMatch(warned.message()::contains))
        .toList();
  }
}
