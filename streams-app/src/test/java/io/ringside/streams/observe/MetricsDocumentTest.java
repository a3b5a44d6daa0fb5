package io.ringside.streams.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MetricsDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "metrics.md");
  private static final String BEGIN = "<!-- metrics of ringside-streams: begin -->\n";
  private static final String END = "<!-- metrics of ringside-streams: end -->";

  /// With `-Dringside.write=true` the table is written instead of compared.
  @Test
  void listsEveryMetricAsTheCodeHasIt() throws IOException {
    var document = Files.readString(DOCUMENT);
    int from = document.indexOf(BEGIN) + BEGIN.length();
    int to = document.indexOf(END);
    if (Boolean.getBoolean("ringside.write")) {
      document = document.substring(0, from) + table() + document.substring(to);
      Files.writeString(DOCUMENT, document);
      to = document.indexOf(END);
    }

    assertThat(document.substring(from, to)).isEqualTo(table());
  }

  @ParameterizedTest
  @EnumSource(Metric.class)
  void keepsToPrometheusConventions(Metric metric) {
    assertThat(metric.metricName()).matches("ringside_[a-z0-9_]+");
    assertThat(metric.metricName().endsWith("_total"))
        .isEqualTo(metric.type() == Metric.Type.COUNTER);
    assertThat(metric.metricName().endsWith("_info")).isEqualTo(metric.type() == Metric.Type.INFO);
    assertThat(metric.help()).endsWith(".");
  }

  private static String table() {
    return "| Metric | Type | Labels | Meaning |\n|---|---|---|---|\n"
        + Arrays.stream(Metric.values())
            .map(
                metric ->
                    "| `%s` | %s | %s | %s |\n"
                        .formatted(
                            metric.metricName(),
                            metric.type().name().toLowerCase(Locale.ROOT),
                            metric.labels().stream()
                                .map(label -> "`" + label + "`")
                                .collect(Collectors.joining(", ")),
                            metric.help()))
            .collect(Collectors.joining());
  }
}
