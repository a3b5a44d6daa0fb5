package io.ringside.streams.examine;

import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.Warned;
import java.util.List;

/// NCCL's WARN lines that may mean something: not those that healthy runs print.
public final class Complaints {
  /// The proxy cannot close its side of a connection any more, since its peers were gone first: its
  /// communicator is being destroyed (src/proxy.cc, 2.14 to 2.30). What it says beside that is of
  /// the same end.
  private static final String CLOSING = "Failed to execute operation Close";

  private static final List<String> PROXY = List.of("[Service thread]", "[Proxy Service");

  /// RAS of another job on the node has its port, so this one goes without
  /// (src/ras/client_support.cc, from 2.24 on). Bootstrap says the same where it cannot go on.
  private static final String PORT_TAKEN = "Call to bind failed: Address already in use";

  private Complaints() {}

  /// Of a process, in the order in which it printed them.
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
