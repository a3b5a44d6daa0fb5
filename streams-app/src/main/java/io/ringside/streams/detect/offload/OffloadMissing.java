package io.ringside.streams.detect.offload;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.Variable;
import io.ringside.streams.job.TrainingProcess.Warned;
import io.ringside.streams.ledger.Comparison;
import io.ringside.streams.ledger.LastGoodRun;
import io.ringside.streams.ledger.Offloads;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds runs that do not use SHARP (CollNet, reductions in InfiniBand's switches) or NVLS
/// (reductions in NVLink's switch) although it was requested, or although other ranks or the job's
/// last run have it. A machine without it is no fault: `NVLS multicast support is not available` is
/// printed on every A100.
/// `Failed to bind NVLink SHARP (NVLS) Multicast memory … Proceeding without NVLS support` shows
/// that the machine has it.
public final class OffloadMissing implements Detector {
  private static final String COLLNET = "NCCL_COLLNET_ENABLE";
  private static final String NVLS = "NCCL_NVLS_ENABLE";
  private static final String ALGORITHMS = "NCCL_ALGO";

  private static final String REFUSED =
      "what offers it (switch, driver, fabric manager or SHARP's daemon) refused";

  /// Messages of failed SHARP set-up: NCCL 2.12.10 src/transport.cc, 2.27.3
  /// src/transport/coll_net.cc, and the SHARP plugin.
  private static final List<String> COLLNET_FAILED =
      List.of(
          "Cannot initialize CollNet",
          "SHARP coll init error",
          "Collnet initialization failed",
          "sharp_coll_init");

  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    collNet(examination, findings);
    nvls(examination, findings);
    return findings;
  }

  private static void collNet(Examination examination, List<Finding> findings) {
    var without = new LinkedHashSet<TrainingProcess>();
    var lines = new ArrayList<Evidence>();
    Evidence asked = null;
    for (var process : examination.run().byRank()) {
      var variable = process.environment().get(COLLNET);
      if (variable != null && variable.value().equals("1") && asked == null) {
        asked = variable.proof();
      }
      for (var warned : process.warnings()) {
        if (failedCollNet(warned)) {
          without.add(process);
          lines.add(warned.proof());
        }
      }
    }
    if (!without.isEmpty()) {
      findings.add(finding("SHARP (CollNet)", without, asked, lines, REFUSED, examination));
    } else if (asked != null && NoCollNet.known(examination)) {
      var all = examination.run().byRank();
      NoCollNet.proof(all).ifPresent(lines::add);
      findings.add(
          finding(
              "SHARP (CollNet)",
              new LinkedHashSet<>(all),
              asked,
              lines,
              NoCollNet.CAUSE,
              examination));
    } else if (connected(examination)) {
      had(Offloads.SHARP, COLLNET, examination)
          .map(
              before ->
                  lost(
                      "SHARP (CollNet)",
                      before,
                      new LinkedHashSet<>(examination.run().byRank()),
                      List.of(examination.edges().getFirst().proof()),
                      "SHARP's plugin, its daemon or the aggregation manager refused it",
                      examination))
          .ifPresent(findings::add);
    }
  }

  /// Whether all edges have been printed: CollNet's appear with the first call that uses them.
  private static boolean connected(Examination examination) {
    return !examination.edges().isEmpty()
        && (examination.job().ended() || examination.run().trained());
  }

  private static boolean failedCollNet(Warned warned) {
    return COLLNET_FAILED.stream().anyMatch(warned.message()::contains);
  }

  private static void nvls(Examination examination, List<Finding> findings) {
    var without = new LinkedHashSet<TrainingProcess>();
    var lines = new ArrayList<Evidence>();
    var had = had(Offloads.NVLS, NVLS, examination);
    boolean some =
        had.isPresent() || examination.run().processes().stream().anyMatch(OffloadMissing::hasNvls);
    for (var process : examination.run().byRank()) {
      var lost = process.proof(TrainingProcess.Statement.NVLS_LOST);
      var line = lost == null ? process.proof(TrainingProcess.Statement.NO_NVLS) : lost;
      var value = process.variable(NVLS);
      boolean forbidden = value.equals("0");
      boolean wanted = asked(process) != null;
      if (line == null || forbidden || (lost == null && (hasNvls(process) || !(wanted || some)))) {
        continue;
      }
      without.add(process);
      lines.add(line);
    }
    var unlike = had.isPresent() ? withoutChannels(examination) : unlike(examination);
    if (without.isEmpty() && !unlike.isEmpty()) {
      without.addAll(unlike);
      unlike.forEach(process -> channels(process).ifPresent(lines::add));
    }
    if (!without.isEmpty()) {
      findings.add(
          had.map(
                  before ->
                      lost(
                          "NVLS (NVLink SHARP)",
                          before,
                          without,
                          lines,
                          "driver, fabric manager or NVLink's switch refused it, or the machine is another one",
                          examination))
              .orElseGet(
                  () ->
                      finding(
                          "NVLS (NVLink SHARP)",
                          without,
                          asked(examination),
                          lines,
                          REFUSED,
                          examination)));
    }
  }

  /// The line of the first variable that requests NVLS, null if there is none.
  private static @Nullable Evidence asked(Examination examination) {
    return examination.run().byRank().stream()
        .map(OffloadMissing::asked)
        .filter(Objects::nonNull)
        .map(Variable::proof)
        .findFirst()
        .orElse(null);
  }

  /// The variable by which a process requests NVLS, null if there is none. `NCCL_ALGO=NVLS,Ring`
  /// counts, `^NVLS` and `allreduce:^NVLS` do not.
  private static @Nullable Variable asked(TrainingProcess process) {
    var enabled = process.environment().get(NVLS);
    if (enabled != null && enabled.value().equals("1")) {
      return enabled;
    }
    var algorithms = process.environment().get(ALGORITHMS);
    return algorithms != null
            && algorithms.value().indexOf('^') < 0
            && algorithms.value().toUpperCase(Locale.ROOT).contains("NVLS")
        ? algorithms
        : null;
  }

  /// The last run that used it, if this run does not and no variable forbids it.
  private static Optional<RunSummary> had(
      String offload, String variable, Examination examination) {
    var line = examination.line();
    boolean forbidden =
        examination.run().processes().stream()
            .anyMatch(process -> process.wantedValue(variable).equals("0"));
    return line == null || forbidden || line.offloads().contains(offload)
        ? Optional.empty()
        : LastGoodRun.ofOffload(examination.earlier(), line, offload);
  }

  private static boolean hasNvls(TrainingProcess process) {
    return process.proof(TrainingProcess.Statement.NVLS) != null;
  }

  /// Ranks without NVLS channels in a communicator in which more ranks have some. NCCL takes what
  /// all ranks of a host have, so whole hosts lack it. If at least half of the ranks lack it, it is
  /// taken as intended.
  private static Set<TrainingProcess> unlike(Examination examination) {
    var without = withoutChannels(examination);
    long with = ofWorld(examination, channels -> channels > 0).count();
    return with > without.size() ? without : Set.of();
  }

  private static Set<TrainingProcess> withoutChannels(Examination examination) {
    return ofWorld(examination, channels -> channels == 0)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /// Processes that share their host with other ranks of the world, filtered by their number of
  /// NVLS channels in it.
  private static Stream<TrainingProcess> ofWorld(Examination examination, IntPredicate channels) {
    var world = examination.run().world().map(Communicator::id).orElse("");
    return examination.members(world).stream()
        .filter(
            process -> {
              var membership = process.memberships().get(world);
              return membership != null
                  && membership.localRanks() > 1
                  && membership.nvlsChannels() >= 0
                  && channels.test(membership.nvlsChannels());
            });
  }

  private static Optional<Evidence> channels(TrainingProcess process) {
    return process.memberships().values().stream()
        .filter(membership -> membership.nvlsChannels() == 0)
        .flatMap(
            membership ->
                Optional.ofNullable(membership.proof(Membership.Statement.CHANNELS)).stream())
        .findFirst();
  }

  /// Finding for what the job used before and no longer uses.
  ///
  /// @param refused the cause in words, if nothing else changed
  private static Finding lost(
      String offload,
      RunSummary before,
      Set<TrainingProcess> without,
      List<Evidence> lines,
      String refused,
      Examination examination) {
    var run = Objects.requireNonNull(examination.line());
    var draft =
        FindingDraft.about(FindingKind.OFFLOAD_MISSING, Severity.WARNING, examination, without)
            .subject(offload)
            .summary(offload + " is no longer used: the last run of as many ranks had it")
            .expected(
                "%s, as in run %s (attempt %d)"
                    .formatted(
                        offload.substring(0, offload.indexOf(' ')), before.run(), before.attempt()))
            .observed("reductions on the GPUs alone")
            .cost(new Cost(null, Comparison.of(before, run).stepRatio()))
            .cause(changed(offload.startsWith("NVLS") ? NVLS : COLLNET, before, run, refused));
    lines.forEach(draft::proof);
    return draft.finding();
  }

  private static String changed(
      String variable, RunSummary before, RunSummary run, String refused) {
    var asked = before.environment().get(variable);
    if (asked != null && !run.environment().containsKey(variable)) {
      return variable + "=" + asked + " is no longer set";
    }
    return before.ncclVersion().equals(run.ncclVersion())
        ? refused
        : "NCCL is %s instead of %s".formatted(run.ncclVersion(), before.ncclVersion());
  }

  private static Finding finding(
      String offload,
      Set<TrainingProcess> without,
      @Nullable Evidence asked,
      List<Evidence> lines,
      String cause,
      Examination examination) {
    var ranks = without.stream().map(examination.run()::rank).filter(rank -> rank >= 0).toList();
    var draft =
        FindingDraft.about(FindingKind.OFFLOAD_MISSING, Severity.INFO, examination, without)
            .subject(offload)
            .summary(
                "%s is not used%s: NCCL goes on without it"
                    .formatted(offload, ranks.isEmpty() ? "" : " by " + RankText.words(ranks)))
            .expected(offload + (asked == null ? ", as other ranks have or as was tried" : ""))
            .observed("reductions on the GPUs alone")
            .cause(cause)
            .proof(asked);
    lines.forEach(draft::proof);
    return draft.finding();
  }
}
