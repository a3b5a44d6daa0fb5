package io.ringside.shipper.source.log.line;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Nanos;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Lines of `kubectl logs --timestamps`, around those of others.
class ContainerLineTest {
  private final ContainerLine line = new ContainerLine();

  @ParameterizedTest
  @CsvSource({
    "2026-09-15T08:00:00.5Z step 1, 2026-09-15T08:00:00.5Z, step 1",
    "2026-09-15T08:00:00.5Z 2026-09-15T08:00:00.4Z step 1, 2026-09-15T08:00:00.4Z, step 1",
    "2026-09-15T08:00:00.5Z 2026-09-15T08:00:00.4Z stdout F step 1, 2026-09-15T08:00:00.4Z, step 1",
    "2026-09-15T08:00:00.5Z 2026-09-15 is a day, 2026-09-15T08:00:00.5Z, 2026-09-15 is a day",
    "2026-09-15T08:00:00.5Z 2026-09-15T08:00:00.4 local, 2026-09-15T08:00:00.5Z, 2026-09-15T08:00:00.4 local",
  })
  void haveTheTimeThatStandsNextToTheText(String text, String at, String rest) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);

    assertThat(line.parse(LineFormat.STAMPED, bytes, 0, bytes.length)).isTrue();

    assertThat(Nanos.instant(line.nanos))
        .hasToString(at.replace(".5Z", ".500Z").replace(".4Z", ".400Z"));
    assertThat(new String(line.bytes, line.from, line.to - line.from, StandardCharsets.UTF_8))
        .isEqualTo(rest);
  }

  @Test
  void keepTheStreamOfTheRuntimeWithin() {
    var bytes =
        "2026-09-15T08:00:00.5Z 2026-09-15T08:00:00.4Z stderr P half of"
            .getBytes(StandardCharsets.UTF_8);

    assertThat(line.parse(LineFormat.STAMPED, bytes, 0, bytes.length)).isTrue();

    assertThat(line.stream).isEqualTo(1);
    assertThat(line.partial).isTrue();
  }
}
