package io.ringside.streams.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.judge.Judge;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Recordings of which only the ends of the files are here, as of a job that is joined while it
/// runs: no init line, and each file begins at another call. They were made with NCCL 2.28.9, whose
/// `opCount` does not count all calls; where that is asked for it is written as 2.26 and earlier
/// count.
class TailsOfRecordingsTest {
  private static final Pattern CALL =
      Pattern.compile("^(.*?(\\S+:\\d+):\\d+ .*opCount )([0-9a-f]+)( .* comm (0x[0-9a-f]+) .*)$");

  private static final int CUTS = 2;

  @ParameterizedTest
  @CsvSource({"slowcoll, 6", "stamped, 0", "drift, 2", "mild, 1", "sporadic, 3"})
  void haveTheStragglerOfTheWhole(String folder, int rank) throws IOException {
    for (int seed = 0; seed < CUTS; seed++) {
      var verdict = tail(folder, seed, counted(number -> number)).judged();

      assertThat(verdict.findings())
          .describedAs("%s, cut %d: %s", folder, seed, verdict.runs())
          .filteredOn(TailsOfRecordingsTest::accuses)
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.kind()).isEqualTo(FindingKind.STRAGGLER);
                assertThat(finding.ranks()).containsExactly(rank);
              });
      assertThat(notJudged(verdict)).contains("transport", "rank numbers").doesNotContain("waits");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jitter", "dscoll", "alternating", "checkpoints", "collok"})
  void accuseNobodyOfAHealthyJob(String folder) throws IOException {
    for (int seed = 0; seed < CUTS; seed++) {
      assertThat(tail(folder, seed, counted(number -> number)).judged().findings())
          .describedAs("%s, cut %d", folder, seed)
          .noneMatch(TailsOfRecordingsTest::accuses);
    }
  }

  /// As 2.28.9 prints it: 0 on most ranks, on others what goes by them over a network.
  @ParameterizedTest
  @ValueSource(strings = {"slowcoll", "stamped", "drift", "always", "jitter", "groups", "twolate"})
  void areNotComparedWhereTheCountIsNotOfAllCalls(String folder) throws IOException {
    for (int seed = 0; seed < CUTS; seed++) {
      var verdict = tail(folder, seed, (_, _, count) -> count).judged();

      assertThat(verdict.findings())
          .describedAs("%s, cut %d", folder, seed)
          .noneMatch(TailsOfRecordingsTest::accuses);
      assertThat(notJudged(verdict)).contains("waits");
    }
  }

  /// One process's count is ahead by a step or two, as if it had made other calls before.
  @ParameterizedTest
  @CsvSource({
    "slowcoll, 3",
    "slowcoll, 6",
    "jitter, 3",
    "stamped, 1",
    "drift, 1",
    "checkpoints, 3"
  })
  void areNotComparedWhereTheCountsDiffer(String folder, int ahead) throws IOException {
    for (int seed = 0; seed < CUTS; seed++) {
      var first = new ArrayList<String>();
      var verdict =
          tail(
                  folder,
                  seed,
                  (process, number, _) -> {
                    if (first.isEmpty()) {
                      first.add(process);
                    }
                    return number + (process.equals(first.getFirst()) ? ahead : 0);
                  })
              .judged();

      assertThat(verdict.findings())
          .describedAs("%s, cut %d", folder, seed)
          .noneMatch(TailsOfRecordingsTest::accuses);
      assertThat(notJudged(verdict)).contains("waits");
    }
  }

  /// The communicator was made anew at the same address.
  @ParameterizedTest
  @ValueSource(strings = {"slowcoll", "jitter", "stamped", "drift"})
  void areComparedNoMoreWhereTheCountBeginsAnew(String folder) throws IOException {
    for (int restart : new int[] {1_000, 1_001, 400}) {
      var verdict = tail(folder, 1, counted(number -> number % restart)).judged();
      var whole = tail(folder, 1, counted(number -> number)).judged();

      assertThat(accused(verdict)).isSubsetOf(accused(whole));
    }
  }

  private static boolean accuses(Finding finding) {
    return switch (finding.kind()) {
      case STRAGGLER, BARRIER_WAIT, HANG -> finding.severity() != Severity.INFO;
      default -> false;
    };
  }

  private static List<Integer> accused(Judge.Verdict verdict) {
    return verdict.findings().stream()
        .filter(TailsOfRecordingsTest::accuses)
        .flatMap(finding -> finding.ranks().stream())
        .toList();
  }

  private static List<String> notJudged(Judge.Verdict verdict) {
    return verdict.runs().stream()
        .flatMap(run -> run.notJudged().stream())
        .map(NotJudged::what)
        .toList();
  }

  /// What is printed for a process's call.
  private interface Count {
    /// @param number how many calls the process made before on the communicator
    /// @param recorded what was printed
    long of(String process, long number, long recorded);
  }

  private static Count counted(LongUnaryOperator count) {
    return (_, number, _) -> count.applyAsLong(number);
  }

  /// Each file from a line on that is drawn from the first half of its calls.
  private static Recorded tail(String folder, int seed, Count count) throws IOException {
    var random = new Random(seed);
    var files = new TreeMap<String, List<String>>();
    Recorded.lines(Path.of("../examples/recordings", folder))
        .forEach((name, lines) -> files.put(name, cut(renumbered(lines, count), random)));
    return Recorded.of(files);
  }

  private static List<String> renumbered(List<String> lines, Count count) {
    var numbers = new TreeMap<String, Long>();
    var written = new ArrayList<String>();
    for (var line : lines) {
      var call = CALL.matcher(line);
      if (!call.matches()) {
        written.add(line);
        continue;
      }
      var key = call.group(2) + "|" + call.group(5);
      long number = numbers.merge(key, 1L, Long::sum) - 1;
      written.add(
          call.group(1)
              + Long.toHexString(count.of(call.group(2), number, Long.parseLong(call.group(3), 16)))
              + call.group(4));
    }
    return written;
  }

  private static List<String> cut(List<String> lines, Random random) {
    var calls = new ArrayList<Integer>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains(": opCount ")) {
        calls.add(i);
      }
    }
    int from = calls.isEmpty() ? 0 : calls.get(calls.size() / 8 + random.nextInt(calls.size() / 4));
    return lines.subList(from, lines.size());
  }
}
