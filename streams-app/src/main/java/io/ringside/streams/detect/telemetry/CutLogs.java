package io.ringside.streams.detect.telemetry;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.JobState.Source;
import io.ringside.streams.job.TrainingProcess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds saved logs that end although the ranks in them continued: other ranks made far more calls
/// on a shared communicator than can be enqueued before the first of them completes.
final class CutLogs {
  /// A stream accepts half this many kernel launches before the next launch waits. Calls that are
  /// grouped, or captured in a graph, are launched together, so none runs ahead for minutes.
  private static final long MOST_AHEAD = 2048;

  /// Shorter differences do not count: logs of many pods are saved one after the other while the
  /// job runs.
  private static final long LEAST_NANOS = 300_000_000_000L;

  /// Rounds that ranks must have completed together first.
  private static final long FEWEST_ROUNDS = 16;

  private CutLogs() {}

  static List<Finding> of(Examination examination) {
    Map<String, Finding> byLog = new LinkedHashMap<>();
    for (var comm : examination.run().communicators()) {
      if (comm.unnamed() || comm.rounds().completed() < FEWEST_ROUNDS) {
        continue;
      }
      var outrun = comm.rounds().outrun(MOST_AHEAD);
      if (outrun.isEmpty()) {
        continue;
      }
      for (var entry : bySource(comm, examination).entrySet()) {
        if (outrun.containsAll(entry.getValue().keySet()) && !byLog.containsKey(entry.getKey())) {
          finding(comm, List.copyOf(entry.getValue().values()), examination)
              .ifPresent(finding -> byLog.put(entry.getKey(), finding));
        }
      }
    }
    return List.copyOf(byLog.values());
  }

  private static Map<String, Map<Integer, TrainingProcess>> bySource(
      Communicator comm, Examination examination) {
    Map<String, Map<Integer, TrainingProcess>> bySource = new LinkedHashMap<>();
    examination
        .run()
        .members(comm)
        .forEach(
            (rank, process) ->
                bySource
                    .computeIfAbsent(process.source().id(), _ -> new LinkedHashMap<>())
                    .put(rank, process));
    return bySource;
  }

  /// @param silent the processes of one log
  private static Optional<Finding> finding(
      Communicator comm, List<TrainingProcess> silent, Examination examination) {
    var log = silent.getFirst().source();
    var source = examination.job().sources().get(log.id());
    long until = comm.rounds().lastCallNanos();
    if (source == null || !saved(source) || until - source.lineNanos() < LEAST_NANOS) {
      return Optional.empty();
    }
    var last = Nanos.instant(source.lineNanos());
    var ranks = silent.stream().map(examination.run()::rank).toList();
    var draft =
        FindingDraft.about(FindingKind.TELEMETRY_GAP, Severity.WARNING, examination, silent)
            .subject(log.file())
            .between(last, Nanos.instant(until))
            .summary(
                "the log of %s ends %s before others', though these ranks went on"
                    .formatted(
                        RankText.words(ranks),
                        DurationWords.time(Nanos.seconds(until - source.lineNanos()))))
            .expected("lines of every rank for as long as its communicator is in use")
            .observed(
                "other ranks of the communicator made more than %d calls since: far more than run ahead of a rank"
                    .formatted(MOST_AHEAD))
            .cause("the rest was lost on its way, or the log was saved before the others")
            .proof(Evidence.ofSensor(last, log, log.file(), "the last line of this log"));
    comm.rounds().samples().stream().limit(2).forEach(draft::proof);
    return Optional.of(draft.finding());
  }

  private static boolean saved(Source source) {
    return source.ended() && !source.live() && source.lineNanos() != NO_TIME;
  }
}
