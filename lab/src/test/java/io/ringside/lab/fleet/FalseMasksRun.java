package io.ringside.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.simulate.JobDraw;
import io.ringside.lab.simulate.JobGenerator;
import io.ringside.schemas.event.LogChunk;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.shipper.mask.Masking;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/// What the masks hide of ten million lines of drawn jobs, healthy and not, none of which holds a
/// secret: nothing. It takes minutes, so `lab/hostile.sh` runs it and no build.
class FalseMasksRun {
  private static final long LINES = Long.getLong("ringside.hostile.lines", 10_000_000L);
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void hidesNothingOfLinesWithoutSecrets() {
    var config = ShipperConfig.read(null, Map.of("node", "n"), _ -> null);
    var masking = new Masking(config.masks(), new LongAdder());
    long seed = Long.getLong("ringside.hostile.seed", 1);
    List<String> hidden = new ArrayList<>();
    long lines = 0;
    int job = 0;
    for (; lines < LINES; job++) {
      var plan = JobDraw.draw(seed, job, 64, 60_000);
      for (var sent : JobGenerator.generate(plan, BEGIN, Duration.ofMillis(500)).records()) {
        if (sent.event() instanceof LogChunk chunk) {
          var text = chunk.text().toString();
          if (!masking.of(text).equals(text)) {
            text.lines().filter(line -> !masking.of(line).equals(line)).forEach(hidden::add);
          }
          lines += chunk.lines();
        }
      }
    }

    System.err.printf("%,d lines of %d jobs, %d hidden%n", lines, job, hidden.size());
    assertThat(hidden).isEmpty();
  }
}
