package io.ringside.streams.examine;

import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The processes of a run that held the GPU that a kernel line names. Machines of one kind have the
/// same bus IDs. If several of the run's hosts have the GPU, the line identifies the host by a pid,
/// by its node, or by a host name in the line or in its file's name.
public final class XidHolders {
  /// `pid=21722, name=python3` from drivers 450 and later; they also print `pid='<unknown>'`.
  private static final Pattern PID = Pattern.compile("\\bpid='?(\\d{1,9})\\b");

  private XidHolders() {}

  /// Empty if several hosts have such a GPU and nothing shows which one is meant.
  ///
  /// @param busId PCI bus ID as the driver writes it
  public static List<TrainingProcess> of(String busId, Sign sign, Run run) {
    var held = run.byRank().stream().filter(process -> same(process.busId(), busId)).toList();
    if (hosts(held).size() < 2) {
      return held;
    }
    var line = sign.line();
    var pid = PID.matcher(line.text());
    int number = pid.find() ? Integer.parseInt(pid.group(1)) : -1;
    return narrowed(held, process -> number > 0 && process.pid() == number)
        .or(
            () ->
                narrowed(
                    held,
                    process ->
                        process.source().nodeKnown()
                            && process.source().node().equals(line.node())))
        .or(
            () ->
                narrowed(
                    held,
                    process ->
                        names(line.file(), process) || names(beginning(line.text()), process)))
        .orElse(List.of());
  }

  /// Whether all ranks of the run are known with their GPUs and none has this one: a kernel's log
  /// covers all GPUs of its machine.
  public static boolean othersGpu(String busId, Run run) {
    var ranks = run.byRank();
    return run.nranks() > 0
        && !FailureEvent.Xid.isUuid(busId)
        && ranks.size() >= run.nranks()
        && ranks.stream()
            .allMatch(process -> process.busId() != null && !same(process.busId(), busId));
  }

  private static Optional<List<TrainingProcess>> narrowed(
      List<TrainingProcess> held, Predicate<TrainingProcess> which) {
    var some = held.stream().filter(which).toList();
    return hosts(some).size() == 1 ? Optional.of(some) : Optional.empty();
  }

  private static Set<String> hosts(List<TrainingProcess> processes) {
    return processes.stream().map(TrainingProcess::hostId).collect(Collectors.toSet());
  }

  /// Whether both are the same GPU. The kernel leaves out the PCI function that NCCL prints:
  /// `0000:9b:00`, `0000:9b:00.0`.
  private static boolean same(@Nullable String ofProcess, String busId) {
    return ofProcess != null
        && ofProcess.toLowerCase(Locale.ROOT).startsWith(busId.toLowerCase(Locale.ROOT));
  }

  /// The part before the kernel's text: `Mar 03 04:11:15 node-7 ` of
  /// `Mar 03 04:11:15 node-7 kernel: NVRM: …`.
  private static String beginning(String line) {
    int kernel = line.indexOf(" kernel: ");
    return kernel < 0 ? "" : line.substring(0, kernel + 1);
  }

  private static boolean names(String text, TrainingProcess process) {
    return HostName.standsIn(text.substring(text.lastIndexOf('/') + 1), process.host());
  }
}
