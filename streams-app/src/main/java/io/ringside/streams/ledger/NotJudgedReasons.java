package io.ringside.streams.ledger;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.examine.BusBandwidth;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.ListedEnds;
import io.ringside.streams.examine.NetworkUse;
import io.ringside.streams.examine.NodesOfRun;
import io.ringside.streams.examine.TimingTrust;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.bandwidth.Table;
import io.ringside.streams.parse.event.FailureEvent.Reported;
import io.ringside.streams.waits.Rounds;
import io.ringside.streams.witness.inspector.InspectorVerdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Lists what could not be judged for a run because its lines say too little, and why. For these,
/// an absence of findings means nothing.
final class NotJudgedReasons {
  /// Least step lines that can show a change.
  private static final int ENOUGH_STEPS = 10;

  /// Least time without progress. Most evaluations and checkpoints take less.
  private static final Duration STILL = Duration.ofSeconds(30);

  private static final String NAMELESS = "NCCL before 2.16.2 does not name its communicators: ";

  private NotJudgedReasons() {}

  static List<NotJudged> missing(Examination examination) {
    var missing = new ArrayList<NotJudged>();
    var tables = examination.job().tables(examination.run());
    boolean measured = tables.stream().anyMatch(table -> !table.rows().isEmpty());
    if (measured) {
      bandwidth(tables, examination, missing);
    } else {
      transport(examination, missing);
    }
    if (!measured
        || examination.run().communicators().stream().anyMatch(NotJudgedReasons::called)) {
      waits(examination, missing);
    }
    if (!measured) {
      steps(examination, missing);
    }
    gpus(examination, missing);
    UnexplainedEnd.of(examination).or(() -> StillSteps.of(examination)).ifPresent(missing::add);
    pods(examination, missing);
    ListedEnds.open(examination).stream()
        .filter(_ -> missing.stream().noneMatch(it -> it.what().equals(UnexplainedEnd.WHAT)))
        .findFirst()
        .ifPresent(
            words ->
                missing.add(
                    new NotJudged(
                        UnexplainedEnd.WHAT,
                        "a listing says: %s; it does not tell whether this run ended of it"
                            .formatted(words))));
    still(examination, missing);
    unplaced(examination, missing);
    numbers(examination, missing);
    ports(examination, missing);
    witnesses(examination, missing);
    missing.addAll(SilentWitnesses.of(examination));
    if (examination.job().leftOut() > 0) {
      missing.add(
          new NotJudged(
              "log",
              "it names more communicators than are kept: %d lines of others are left out"
                  .formatted(examination.job().leftOut())));
    }
    if (examination.job().unkept() > 0) {
      missing.add(
          new NotJudged(
              "log",
              "its processes state more than is kept: %d lines are left out"
                  .formatted(examination.job().unkept())));
    }
    if (examination.job().lostState()) {
      missing.add(
          new NotJudged(
              "state",
              "what the service had kept of the job could not be read and was dropped: what its lines said before is not known"));
    }
    return missing;
  }

  /// Checks nccl-tests tables. Only rows with large sizes count.
  private static void bandwidth(
      List<Table> tables, Examination examination, List<NotJudged> missing) {
    long least = examination.expectations().thresholds().bandwidth().leastBytes();
    int torn = tables.stream().filter(each -> each.wrong() == null).mapToInt(Table::torn).sum();
    if (torn > 0) {
      missing.add(
          new NotJudged(
              "results",
              "other lines were printed into %s of nccl-tests: whether %s right could not be read"
                  .formatted(
                      torn == 1 ? "a row" : torn + " rows",
                      torn == 1 ? "its results are" : "their results are")));
    }
    var large =
        tables.stream()
            .filter(table -> table.rows().stream().anyMatch(row -> row.bytes() >= least))
            .toList();
    if (large.isEmpty()) {
      missing.add(
          new NotJudged(
              "bandwidth",
              "nccl-tests ran with less than %d MiB only: add -e 1G".formatted(least >> 20)));
    } else if (large.stream().anyMatch(table -> table.busIds().size() != 1)
        && large.stream().allMatch(table -> BusBandwidth.of(table, examination).isEmpty())) {
      missing.add(
          new NotJudged(
              "bandwidth",
              "what the links of these GPUs and hosts carry is not known: name the machine as instanceType in the expectations"));
    }
  }

  /// Notes a run that only Kubernetes reports on, without an end.
  private static void pods(Examination examination, List<NotJudged> missing) {
    var signs = examination.run().failures().signs();
    if (examination.run().processes().isEmpty()
        && examination.run().steps().tracks().isEmpty()
        && examination.job().tables(examination.run()).isEmpty()
        && signs.stream()
            .allMatch(sign -> sign.event() instanceof Reported reported && !reported.end())) {
      signs.stream()
          .findFirst()
          .ifPresent(
              sign ->
                  missing.add(
                      new NotJudged(
                          "end",
                          "Kubernetes tells of none: %s; give the pod's log as well"
                              .formatted(((Reported) sign.event()).words()))));
    }
  }

  private static void witnesses(Examination examination, List<NotJudged> missing) {
    if (!examination.newestRun()) {
      return;
    }
    examination
        .job()
        .witnesses()
        .damagedRas()
        .forEach(
            (file, damaged) ->
                missing.add(
                    new NotJudged(
                        "witnesses",
                        "%s of RAS in %s cut or damaged, and left out"
                            .formatted(
                                damaged == 1 ? "an answer" : damaged + " answers",
                                file + (damaged == 1 ? " is" : " are")))));
    var rounds = examination.job().witnesses().rounds();
    long whole = rounds.verdicts().stream().mapToLong(InspectorVerdict::rounds).sum();
    if (100 * rounds.lost() >= whole && rounds.lost() > 0) {
      missing.add(
          new NotJudged(
              "waits by the Inspector",
              "%d of %d calls were not written by all ranks: its ring was full, see NCCL_INSPECTOR_DUMP_COLL_RING_SIZE"
                  .formatted(rounds.lost(), whole + rounds.lost())));
    }
    var refused = examination.job().witnesses().refused();
    if (!refused.isEmpty()) {
      var first = refused.iterator().next();
      missing.add(
          new NotJudged(
              "witnesses",
              "%s%s cannot be read: %s"
                  .formatted(
                      first.file(),
                      refused.size() == 1 ? "" : " and %d more".formatted(refused.size() - 1),
                      first.reason())));
    }
  }

  /// Notes agents that do not count port errors, but only if others do: if none does, that was a
  /// choice.
  private static void ports(Examination examination, List<NotJudged> missing) {
    var nodes = NodesOfRun.of(examination).keySet();
    long counted =
        nodes.stream()
            .filter(
                node ->
                    examination
                        .job()
                        .watch(node)
                        .filter(watch -> !watch.ports().isEmpty())
                        .isPresent())
            .count();
    if (counted > 0 && counted < nodes.size()) {
      missing.add(
          new NotJudged(
              "network errors",
              "the agents of %d of %d nodes count none"
                  .formatted(nodes.size() - counted, nodes.size())));
    }
  }

  private static boolean called(Communicator comm) {
    return comm.rounds().completed() > 0;
  }

  private static boolean startUnseen(Examination examination) {
    return examination.run().processes().stream().anyMatch(TrainingProcess::startUnseen);
  }

  private static void transport(Examination examination, List<NotJudged> missing) {
    var run = examination.run();
    if (!examination.edges().isEmpty()) {
      return;
    }
    if (run.processes().isEmpty()) {
      missing.add(new NotJudged("transport", "no NCCL lines: set NCCL_DEBUG=INFO"));
    } else if (startUnseen(examination)) {
      missing.add(
          new NotJudged(
              "transport",
              "joined while running: its init lines were not seen, the next start's will be"));
    } else if (run.nranks() != 1 || run.world().isEmpty()) {
      boolean chosen =
          run.processes().stream()
              .anyMatch(process -> !NetworkUse.of(process, examination).chosen().isEmpty());
      missing.add(
          new NotJudged(
              "transport",
              chosen
                  ? "the log ends before the ranks were connected, or does not show it"
                  : "no line says which network or which edges are used"));
    }
  }

  /// RAS reports OK if all ranks have launched the same calls. If nothing moves, that does not
  /// prove that the run is well.
  private static void still(Examination examination, List<NotJudged> missing) {
    var all = examination.witnesses().ras();
    if (all.isEmpty()
        || examination.run().done()
        || all.stream().anyMatch(each -> each.alikeSinceNanos() == 0 || each.hangs())) {
      return;
    }
    long nanos =
        all.stream().mapToLong(each -> each.lastNanos() - each.alikeSinceNanos()).min().orElse(0);
    if (nanos >= STILL.toNanos()) {
      missing.add(
          new NotJudged(
              "standstill",
              "RAS calls the ranks OK, but in its last %s none launched anything: a pause, or a hang in calls that it does not count, such as Send and Recv"
                  .formatted(DurationWords.time(Duration.ofNanos(nanos).toSeconds()))));
    }
  }

  /// Notes a group that is stuck and whose ranks cannot be matched to ranks of the run.
  private static void unplaced(Examination examination, List<NotJudged> missing) {
    if (!examination.run().done()) {
      examination.witnesses().unplaced().stream()
          .findFirst()
          .ifPresent(
              words ->
                  missing.add(
                      new NotJudged(
                          "standstill",
                          "RAS: %s; which rank of the job that is no line tells"
                              .formatted(words))));
    }
  }

  /// Notes ranks whose numbers no line contains.
  private static void numbers(Examination examination, List<NotJudged> missing) {
    if (examination.run().hasWorld() && startUnseen(examination)) {
      missing.add(
          new NotJudged(
              "rank numbers",
              "joined while running: ranks are numbered by pod, host and process, as launchers do"));
    }
  }

  private static void waits(Examination examination, List<NotJudged> missing) {
    var rounds =
        examination.run().communicators().stream()
            .map(Communicator::rounds)
            .filter(each -> each.completed() > 0)
            .toList();
    if (rounds.isEmpty()) {
      missing.add(new NotJudged("waits", unaligned(examination)));
    } else if (rounds.stream().noneMatch(each -> TimingTrust.trusted(each, examination))) {
      missing.add(new NotJudged("waits", untrusted(rounds, examination)));
    } else {
      EarlyEnd.of(examination).ifPresent(missing::add);
    }
  }

  /// The reason why no rounds are known.
  private static String unaligned(Examination examination) {
    var run = examination.run();
    if (startUnseen(examination)) {
      return "joined while running: which calls are of one round is not known, since NCCL's opCount counts them on no rank or not alike";
    }
    if (run.communicators().stream().anyMatch(Communicator::withheld)) {
      return NAMELESS + "calls are compared where the lines of all ranks are here";
    }
    if (run.processes().stream().anyMatch(TrainingProcess::callsUnnamed)) {
      return NAMELESS + "which ranks are of one group, and which calls of one round, is not known";
    }
    if (run.communicators().stream().anyMatch(each -> each.rounds().lastCallNanos() != NO_TIME)) {
      return "calls are compared where the lines of all ranks are here";
    }
    return run.processes().stream().anyMatch(TrainingProcess::exchanges)
        ? "its calls are Sends and Recvs alone: of those a missing one is told, not a late one"
        : "no COLL lines: add COLL to NCCL_DEBUG_SUBSYS";
  }

  private static String untrusted(List<Rounds> rounds, Examination examination) {
    boolean fine = rounds.stream().allMatch(each -> each.basis().fine());
    if (fine && rounds.stream().allMatch(each -> TimingTrust.blockBuffered(each, examination))) {
      return "ranks' calls disagree in operation, size or NCCL's own count: lines were lost, or handed over in blocks (then set PYTHONUNBUFFERED=1)";
    }
    return fine
        ? "lines were handed over in blocks: set PYTHONUNBUFFERED=1"
        : "lines carry no times, or whole seconds only";
  }

  private static void steps(Examination examination, List<NotJudged> missing) {
    boolean enough =
        examination.run().steps().tracks().stream()
            .anyMatch(track -> track.series().observations() >= ENOUGH_STEPS);
    if (!enough) {
      missing.add(
          new NotJudged(
              "steps",
              !examination.run().steps().tracks().isEmpty()
                  ? "too few lines tell of training steps"
                  : examination.run().steps().observations() == 0
                      ? "no line tells of a training step"
                      : examination.run().steps().lastNanos() == NO_TIME
                          ? "their lines carry no times"
                          : "no line tells how many were made"));
    }
  }

  private static void gpus(Examination examination, List<NotJudged> missing) {
    var unheld = examination.run().unheld();
    if (!unheld.holders().isEmpty()) {
      missing.add(
          new NotJudged(
              "gpus by rank",
              "no line says which process holds which GPU: only their own health is judged"));
    } else if (!unheld.isEmpty()) {
      missing.add(
          new NotJudged(
              "gpus over time",
              "NCCL's lines have no times by which samples could be joined: judged is the GPUs' own health, and whether one changed for as long as steps were slow"));
    } else if (examination.run().gpus().bySecond().isEmpty()) {
      missing.add(
          new NotJudged(
              "gpus",
              examination.run().firstNanos() == NO_TIME && !examination.run().processes().isEmpty()
                  ? "the log has no times by which samples could be joined"
                  : startUnseen(examination)
                      ? "joined while running: no samples, or its lines do not tell which GPUs are its own"
                      : "no nvidia-smi samples"));
    }
  }
}
