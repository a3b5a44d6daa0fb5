package io.ringside.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Jobs of a seed that the commit's id draws, so that each commit is judged on jobs that nobody has
/// seen, and again on the same ones whoever builds it. The bounds stand in `evaluate/bounds.tsv`
/// beside what is aimed at.
class BoundsTest {
  private static final Path BOUNDS = Path.of("src", "test", "resources", "evaluate", "bounds.tsv");
  private static final int JOBS = 40;

  private static final Scorecard card = new Scorecard();
  private static final Map<String, Double> bounds = new LinkedHashMap<>();
  private static long seed;

  @BeforeAll
  static void judge() throws IOException {
    for (var line : Files.readAllLines(BOUNDS)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        var fields = line.split("\\t", -1);
        bounds.put(fields[0], Double.valueOf(fields[1]));
      }
    }
    seed = seed();
    var evaluation = new Evaluation(seed, null, 16, 6_000, () -> 0);
    for (int number = 0; number < JOBS; number++) {
      card.add(evaluation.generated(number));
    }
  }

  /// The first digits of the commit's id, 1 outside of a repository.
  private static long seed() throws IOException {
    var git =
        new ProcessBuilder("git", "rev-parse", "HEAD")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    var id = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return id.matches("[0-9a-f]{40,}") ? Long.parseLong(id.substring(0, 8), 16) : 1;
  }

  private static String table() {
    return "seed %d%n%s%n%s"
        .formatted(
            seed,
            String.join("\n", ScoreTable.of(card)),
            String.join("\n", ScoreTable.misjudged(card)));
  }

  private static double bound(String name) {
    assertThat(bounds).containsKey(name);
    return bounds.getOrDefault(name, Double.NaN);
  }

  @Test
  void raisesNoMoreFalseAlarmsInHealthyJobsThanItMay() {
    assertThat(card.healthy()).as(table()).isPositive();
    assertThat((double) card.falseAlarms())
        .as(table())
        .isLessThanOrEqualTo(bound("false alarms of healthy jobs"));
  }

  @Test
  void saysNoMoreThatIsWrongThanItMay() {
    assertThat((double) card.all().wrong())
        .as(table())
        .isLessThanOrEqualTo(bound("wrong findings of all jobs"));
  }

  @Test
  void findsAsMuchAsItMust() {
    assertThat(card.all().recall()).as(table()).isGreaterThanOrEqualTo(bound("recall of all rows"));
  }

  @Test
  void givesUpOnNoMoreJobsThanItMay() {
    assertThat((double) card.crashes()).as(table()).isLessThanOrEqualTo(bound("crashes"));
  }
}
