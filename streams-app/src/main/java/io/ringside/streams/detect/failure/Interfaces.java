package io.ringside.streams.detect.failure;

import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.TrainingProcess;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Explains why NCCL finds no interface for its sockets, with the value of the variable that
/// selects it where a line shows the value.
public final class Interfaces {
  public static final String VARIABLE = "NCCL_SOCKET_IFNAME";

  /// NCCL's messages (src/bootstrap.cc and src/misc/socket.cc).
  static final List<String> NONE_FOUND =
      List.of("no socket interface found", "No interface found in the same subnet");

  static final String NOT_SHOWN =
      "NCCL found no interface for its sockets: "
          + VARIABLE
          + ", which no line shows, names one that this host does not have, or none is up";

  private Interfaces() {}

  /// Whether the message says that NCCL found no interface.
  public static boolean noneFound(String words) {
    return NONE_FOUND.stream().anyMatch(words::contains);
  }

  /// The explanation, with the variable of the processes that report the error; if they do not show
  /// it, with that of all processes.
  public static String advice(Collection<TrainingProcess> speakers, Examination examination) {
    var values = values(speakers);
    if (values.isEmpty()) {
      var all = new ArrayList<>(examination.run().processes());
      all.addAll(examination.job().strays());
      values = values(all);
    }
    return values.isEmpty()
        ? NOT_SHOWN
        : values.stream()
            .map(value -> VARIABLE + "=" + value)
            .collect(
                Collectors.joining(
                    " or ",
                    "",
                    " names an interface that this host does not have, or that is down"));
  }

  private static TreeSet<String> values(Collection<TrainingProcess> processes) {
    return processes.stream()
        .map(process -> process.variable(VARIABLE))
        .filter(value -> !value.isEmpty())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// The cause, with the variable added to its advice if NCCL found no interface.
  static FailureCause named(FailureCause cause, Examination examination) {
    if (!noneFound(cause.words())) {
      return cause;
    }
    var speakers =
        examination.run().processes().stream()
            .filter(
                process ->
                    cause.rank() >= 0
                        ? examination.run().rank(process) == cause.rank()
                        : process.source().id().equals(cause.sign().source())
                            && process.warnings().stream()
                                .anyMatch(warned -> noneFound(warned.message())))
            .toList();
    return cause.reclassified(cause.failureClass(), cause.words(), advice(speakers, examination));
  }
}
