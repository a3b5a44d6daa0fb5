package io.ringside.streams.detect.error;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.failure.Interfaces;
import io.ringside.streams.detect.failure.JobFailed;
import io.ringside.streams.detect.fallback.EfaFallback;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.NcclWarnings;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.Warned;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds NCCL WARN lines that are not known to be harmless, and ranks that never reach a peer. When
/// one rank fails, all others report closed connections. The detector separates such effects from
/// causes, and the finding names the ranks that report a cause.
public final class NcclError implements Detector {
  /// Texts that follow the failure of another rank (NCCL 2.30.7 src/misc/socket.cc, src/proxy.cc,
  /// src/init.cc), or an earlier failure of the same queue pair: its posted work requests are
  /// flushed (src/transport/net_ib/p2p.cc prints verbs' status 5).
  private static final List<String> EFFECTS =
      List.of(
          "Connection closed by remote peer",
          "socketProgress",
          "Connection reset by peer",
          "is in abort state",
          "ncclCommSetAsyncError",
          "ncclAsyncJobComplete",
          "communicator encountered a fatal error",
          "Could not receive type from localRank",
          "IBV_WC_WR_FLUSH_ERR",
          " with status=5 ",
          " with error 5,");

  /// Texts that name a fatal cause. NCCL 2.4 to 2.30: src/bootstrap.cc, src/misc/socket.cc,
  /// src/init.cc, src/graph.
  private static final List<String> FATAL =
      List.of(
          "no socket interface found",
          "No interface found",
          "failed : ",
          "Connection refused",
          "Connection timed out",
          "No route to host",
          "Cuda failure",
          "Duplicate GPU detected",
          "Failed to initialize any NET plugin",
          "completed with error",
          "Got completion ",
          "Mismatched",
          "Bootstrap",
          "Error: ");

  /// Number of connection attempts after which a peer counts as unreachable. NCCL makes 34
  /// (src/misc/socket.cc).
  private static final int GIVES_UP = 20;

  private static final String OFI_START = "NET/OFI";

  private final EfaFallback fallback = new EfaFallback();

  @Override
  public List<Finding> examine(Examination examination) {
    boolean explained = !fallback.examine(examination).isEmpty();
    var causes = new ArrayList<Said>();
    var effects = new ArrayList<Said>();
    var processes = new ArrayList<>(examination.run().byRank());
    if (examination.newestRun()) {
      processes.addAll(examination.job().strays());
    }
    for (var process : processes) {
      for (var warned : NcclWarnings.of(process, examination.expectations())) {
        if (warned.message().startsWith(OFI_START)
            && (explained || starting(process, examination))) {
          continue;
        }
        (isEffect(warned) ? effects : causes).add(new Said(process, warned));
      }
    }
    for (var process : processes) {
      var unreachable = process.unreachable();
      if (unreachable != null && !process.cameUp()) {
        causes.add(new Said(process, unreachable));
      }
    }
    var told = causes.isEmpty() ? effects : causes;
    if (!told.isEmpty()) {
      return List.of(finding(told, causes, effects, examination));
    }
    return Stream.<Supplier<List<Finding>>>of(
            () -> TorchReports.examine(examination),
            () -> FailedCalls.examine(processes, examination),
            () -> WatchdogReports.examine(examination),
            () -> unconnected(examination))
        .map(Supplier::get)
        .filter(found -> !found.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  /// Finding for a run that ended before any rank was up and gave no reason, if one of its hosts'
  /// network interfaces leads nowhere.
  private static List<Finding> unconnected(Examination examination) {
    if (!examination.job().ended()) {
      return List.of();
    }
    return OddInterfaces.of(examination)
        .map(
            odd ->
                FindingDraft.about(
                        FindingKind.NCCL_ERROR, Severity.WARNING, examination, odd.processes())
                    .subject("interface")
                    .summary(
                        "no communicator came up, and %s %s where others use %s"
                            .formatted(
                                RankText.clause(
                                    odd.processes().stream().map(examination.run()::rank).toList(),
                                    "uses",
                                    "use"),
                                odd.name(),
                                odd.others()))
                    .expected("every rank is reached over its interface")
                    .observed(odd.name())
                    .cause(odd.cause())
                    .proofs(odd.proofs(examination))
                    .finding())
        .stream()
        .toList();
  }

  /// What the first complaint means, if its text and the variables show it; else null.
  private static @Nullable String meaning(List<Said> causes, Examination examination) {
    var first = causes.getFirst();
    var speakers = causes.stream().map(Said::process).distinct().toList();
    if (Interfaces.noneFound(first.warned().message())) {
      return Interfaces.advice(speakers, examination);
    }
    return causes.stream().anyMatch(said -> OddInterfaces.unreached(said.warned()))
        ? OddInterfaces.of(examination).map(OddInterfaces::cause).orElse(null)
        : null;
  }

  /// Whether the process is still starting. When the OFI plugin fails, NCCL tries the next network.
  /// Until the process has completed its init, or ended without, it is not known whether the
  /// plugin's complaints matter.
  private static boolean starting(TrainingProcess process, Examination examination) {
    return !examination.job().ended() && !process.cameUp();
  }

  /// Whether one of the WARN lines prevents NCCL from starting, or a process exited.
  private static boolean fatal(List<Said> causes, Run run) {
    return causes.stream()
            .anyMatch(
                said ->
                    said.warned().equals(said.process().unreachable())
                        ? said.process().connectAttempts() >= GIVES_UP
                        : FATAL.stream().anyMatch(said.warned().message()::contains))
        || run.failures().signs().stream()
            .anyMatch(sign -> sign.event() instanceof FailureEvent.Exited);
  }

  /// Whether NCCL returned an error to a process that complains: the trace of the error through its
  /// call stack shows it.
  private static boolean refused(List<Said> causes) {
    return causes.stream()
        .anyMatch(said -> said.process().proof(TrainingProcess.Statement.CALL_FAILED) != null);
  }

  /// Whether a process ended because of an error that NCCL reports: PyTorch raised it on a rank
  /// that reports a cause, and no progress followed.
  private static boolean ended(List<Said> causes, Run run) {
    boolean cause =
        causes.stream()
            .anyMatch(said -> FATAL.stream().anyMatch(said.warned().message()::contains));
    var ranks = causes.stream().map(said -> run.rank(said.process())).toList();
    return cause
        && run.failures().signs().stream()
            .filter(sign -> sign.progressAfter() == 0)
            .anyMatch(
                sign ->
                    sign.event() instanceof FailureEvent.Raised raised
                        && (raised.type().endsWith("DistBackendError")
                            || raised.type().equals("process taken down"))
                        && ranks.contains(raised.rank()));
  }

  /// Whether all effects follow from an end that a scheduler or a person asked for.
  private static boolean asked(List<Said> effects, Examination examination) {
    var ends = new JobFailed().examine(examination);
    return !ends.isEmpty()
        && ends.stream()
            .allMatch(
                end ->
                    end.severity() == Severity.INFO
                        && effects.stream()
                            .allMatch(
                                said -> follows(said.warned().proof(), end.evidence().getFirst())));
  }

  /// Whether the effect may have come after the end. The order of lines in two files is unknown if
  /// one has no timestamp; this counts as after.
  private static boolean follows(Evidence effect, Evidence end) {
    return effect.file().equals(end.file())
        ? effect.offset() > end.offset()
        : effect.time() == null || end.time() == null || !effect.time().isBefore(end.time());
  }

  private record Said(TrainingProcess process, Warned warned) {}

  private static Finding finding(
      List<Said> told, List<Said> causes, List<Said> effects, Examination examination) {
    var run = examination.run();
    var processes = new LinkedHashSet<TrainingProcess>();
    told.forEach(said -> processes.add(said.process()));
    boolean works =
        run.processes().stream().anyMatch(TrainingProcess::cameUp)
            || run.steps().observations() > 0
            || !examination.job().tables(run).isEmpty();
    boolean started = works || !examination.edges().isEmpty() || !fatal(causes, run);
    boolean ended = started && (ended(causes, run) || !works && refused(causes));
    boolean asked = causes.isEmpty() && asked(effects, examination);
    var first = told.getFirst().warned();
    int all = causes.size() + effects.size();
    var draft =
        FindingDraft.about(
                FindingKind.NCCL_ERROR,
                asked ? Severity.INFO : started && !ended ? Severity.WARNING : Severity.CRITICAL,
                examination,
                processes)
            .summary(
                (ended ? "NCCL failed: " : started ? "NCCL warns: " : "NCCL could not start: ")
                    + first.message()
                    + (all > 1
                        ? " (%d such lines on %s)".formatted(all, ranks(causes, effects))
                        : ""))
            .expected("NCCL warns of nothing and reaches every peer")
            .observed(all + (all == 1 ? " WARN line" : " WARN lines"))
            .cause(
                asked
                    ? "the job was asked to end: its connections close then"
                    : causes.isEmpty()
                        ? "only effects of another rank's failure are seen here: look for the rank whose"
                            + " log ends first"
                        : meaning(causes, examination));
    draft.proof(told.getFirst().warned().proof());
    if (!causes.isEmpty()) {
      chosen(told, examination).forEach(draft::proof);
    }
    told.forEach(said -> draft.proof(said.warned().proof()));
    return draft.finding();
  }

  /// Lines that show why a peer cannot be reached, or why no interface was found.
  private static List<Evidence> chosen(List<Said> told, Examination examination) {
    var first = told.getFirst();
    if (meaning(told, examination) == null) {
      return List.of();
    }
    var variable = first.process().environment().get(Interfaces.VARIABLE);
    return Interfaces.noneFound(first.warned().message())
        ? variable == null ? List.of() : List.of(variable.proof())
        : OddInterfaces.of(examination).map(odd -> odd.proofs(examination)).orElse(List.of());
  }

  /// Number of ranks in words. One failed rank makes hundreds complain, so they are not listed.
  private static String ranks(List<Said> causes, List<Said> effects) {
    long ranks =
        Stream.concat(causes.stream(), effects.stream()).map(Said::process).distinct().count();
    return ranks == 1 ? "one rank" : ranks + " ranks";
  }

  private static boolean isEffect(Warned warned) {
    return EFFECTS.stream().anyMatch(warned.message()::contains);
  }
}
