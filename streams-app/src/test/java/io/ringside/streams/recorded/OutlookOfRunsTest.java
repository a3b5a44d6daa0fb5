package io.ringside.streams.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunBill.Ahead;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.expect.ExpectationsReader;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a fault that holds will cost if nobody acts, said in the midst of recorded jobs.
class OutlookOfRunsTest {
  private static final Path RECORDINGS = Path.of("..", "examples", "recordings");

  /// Beside what the fault was made to cost a second from then on, see `bill.tsv`: seconds of sleep
  /// in the steps that were left, and how long those took.
  @ParameterizedTest
  @CsvSource({"always, 0, 22.4", "sporadic, 3, 16.8"})
  void tellsInTheMidstOfAFaultWhatItGoesOnToCost(String folder, int rank, double cost)
      throws IOException {
    var lines = Recorded.lines(RECORDINGS.resolve(folder));
    var trained = calls(lines);
    var half = trained.get(trained.size() / 2);
    var rest = Duration.between(half, trained.getLast()).toNanos() / 1e9;
    var said = live(until(lines, half), half.plusSeconds(1));

    assertThat(said)
        .singleElement()
        .satisfies(
            ahead -> {
              assertThat(ahead.cause()).isEqualTo(FindingKind.STRAGGLER);
              assertThat(ahead.ranks()).containsExactly(rank);
              assertThat(ahead.share() * rest).isCloseTo(cost / 2, within(0.15 * cost / 2));
              assertThat(ahead.share()).isBetween(ahead.lowShare(), ahead.highShare());
              assertThat(ahead.basis()).startsWith("as in the last ");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"jitter", "checkpoints", "dscoll", "buffered"})
  void saysNothingInTheMidstOfAHealthyJob(String folder) throws IOException {
    var lines = Recorded.lines(RECORDINGS.resolve(folder));
    var stamps = stamps(lines);
    for (int part = 1; part <= 4; part++) {
      var at = stamps.get((stamps.size() - 1) * part / 4);
      assertThat(live(until(lines, at), at.plusSeconds(1))).isEmpty();
    }
  }

  /// Whatever was found of it: nobody can act on a run that is over, or on a recording of whenever.
  @ParameterizedTest
  @ValueSource(strings = {"always", "sporadic", "slowcoll", "groups", "hang", "late", "dsslow"})
  void saysNothingOfWhatIsOver(String folder) {
    assertThat(Recorded.in(RECORDINGS.resolve(folder)).judged().runs())
        .map(RunSummary::bill)
        .filteredOn(Objects::nonNull)
        .allSatisfy(bill -> assertThat(bill.ahead()).isEmpty());
  }

  /// Of ranks that were late and are not any more nothing is ahead.
  @Test
  void saysNothingOfAFaultThatIsOver() throws IOException {
    var lines = Recorded.lines(RECORDINGS.resolve("slowcoll"));
    var last = calls(lines).getLast();

    assertThat(live(lines, last)).isEmpty();
  }

  @Test
  void allGpusOfAJobThatStandsAreLostAtAPrice() {
    var run = WrittenRun.of(1, 4, "P2P/CUMEM");
    for (int call = 0; call < 200; call++) {
      for (int rank = 0; rank < (call < 199 ? 4 : 3); rank++) {
        run.allReduce(1 + 0.2 * call + 0.001 * rank, rank, 1_000);
      }
    }
    for (int rank = 0; rank < 3; rank++) {
      run.line(
          641 + 0.001 * rank,
          "[rank%1$d]:[E1120 11:10:41.000000000 ProcessGroupNCCL.cpp:683] [Rank %1$d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=200, OpType=ALLREDUCE, NumelIn=1000, NumelOut=1000, Timeout(ms)=600000) ran for 600026 milliseconds before timing out."
              .formatted(rank));
    }
    var files = Map.of("1/llama-node-0-0.log", run.text());
    var last = stamps(files).getLast();

    var said = live(files, last.plusSeconds(600));
    assertThat(said)
        .singleElement()
        .satisfies(
            ahead -> {
              assertThat(ahead.cause()).isEqualTo(FindingKind.HANG);
              assertThat(ahead.share()).isEqualTo(1);
              assertThat(ahead.gpuSecondsPerHour()).isEqualTo(4 * 3_600.0);
              assertThat(ahead.moneyPerHour()).isEqualTo(10);
              assertThat(ahead.basis()).isEqualTo("no rank makes progress");
            });
  }

  /// Half of the time of a step that takes twice as long.
  @Test
  void tellsByThePairsOfTheJobWhatATransportWillCost() {
    var runs =
        List.of(
            WrittenRun.trained(1, "P2P/CUMEM", 500, 40),
            WrittenRun.trained(2, "SHM/direct/direct", 1_000, 40),
            WrittenRun.trained(3, "P2P/CUMEM", 500, 40),
            WrittenRun.trained(4, "SHM/direct/direct", 1_020, 40),
            WrittenRun.trained(5, "P2P/CUMEM", 500, 40),
            WrittenRun.trained(6, "SHM/direct/direct", 1_000, 2));
    var files = new TreeMap<String, List<String>>();
    runs.forEach(run -> files.put(files.size() + 1 + "/llama-node-0-0.log", run.text()));
    var last = stamps(files).getLast();

    assertThat(live(files, last.plusSeconds(1)))
        .singleElement()
        .satisfies(
            ahead -> {
              assertThat(ahead.cause()).isEqualTo(FindingKind.TRANSPORT_REGRESSION);
              assertThat(ahead.share()).isCloseTo(1 - 1 / 2.02, within(0.001));
              assertThat(ahead.lowShare()).isCloseTo(1 - 1 / 1.80, within(0.01));
              assertThat(ahead.highShare()).isCloseTo(1 - 1 / 2.26, within(0.01));
              assertThat(ahead.basis()).contains("by 2 pairs of the job's runs");
            });
  }

  /// What is ahead by the newest run's bill, where a GPU costs 2.50 an hour.
  private static List<Ahead> live(Map<String, List<String>> files, Instant now) {
    Expectations priced = ExpectationsReader.read("costPerGpuHour: {'*': 2.5}", "mine.yaml");
    var replay = new Replay();
    Recorded.of(files).unfinished().logs().forEach(file -> file.forEach(replay::add));
    replay
        .jobs()
        .values()
        .forEach(
            job ->
                job.runs()
                    .forEach(run -> run.idle(Duration.between(stamps(files).getLast(), now))));
    return replay.jobs().values().stream()
        .flatMap(
            job ->
                new Judge(priced)
                        .judge(
                            job, List.of(), now, ObservationMode.LIVE, Judge.JudgingScope.DRAWING)
                        .runs()
                        .stream())
        .reduce((_, later) -> later)
        .map(RunSummary::bill)
        .map(RunBill::ahead)
        .orElse(List.of());
  }

  private static Map<String, List<String>> until(Map<String, List<String>> files, Instant end) {
    var cut = new TreeMap<String, List<String>>();
    files.forEach(
        (name, lines) ->
            cut.put(
                name,
                lines.stream()
                    .filter(line -> stamp(line).filter(at -> at.isAfter(end)).isEmpty())
                    .toList()));
    cut.values().removeIf(List::isEmpty);
    return cut;
  }

  private static List<Instant> stamps(Map<String, List<String>> files) {
    return files.values().stream()
        .flatMap(List::stream)
        .flatMap(line -> stamp(line).stream())
        .sorted()
        .toList();
  }

  /// When collectives were called.
  private static List<Instant> calls(Map<String, List<String>> files) {
    var called = new TreeMap<String, List<String>>();
    files.forEach(
        (name, lines) ->
            called.put(
                name,
                new ArrayList<>(
                    lines.stream().filter(line -> line.contains("AllReduce: opCount")).toList())));
    return stamps(called);
  }

  private static Optional<Instant> stamp(String line) {
    int end = line.indexOf(' ');
    return end > 20 && line.charAt(10) == 'T'
        ? Optional.of(Instant.parse(line.substring(0, end)))
        : Optional.empty();
  }
}
