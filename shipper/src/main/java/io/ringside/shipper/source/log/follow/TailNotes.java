package io.ringside.shipper.source.log.follow;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records how far reading lags behind. Logs once when the broker stops taking records and once
/// when it takes them again. Not thread-safe.
final class TailNotes {
  private static final Logger LOGGER = LoggerFactory.getLogger(TailNotes.class);
  private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

  private final ByteBudget budget;
  private final TailCounts files;
  private long spentSince = -1;
  private boolean saidWaiting;
  private long behindSince = -1;

  TailNotes(ByteBudget budget, TailCounts files) {
    this.budget = budget;
    this.files = files;
  }

  /// @param lag bytes not yet safe with the broker
  void note(long lag, long now) {
    files.lagBytes.set(lag);
    if (lag == 0) {
      behindSince = -1;
    } else if (behindSince < 0) {
      behindSince = now;
    }
    files.lagMillis.set(behindSince < 0 ? 0 : (now - behindSince) / 1_000_000);
    noteBudget(now);
  }

  private void noteBudget(long now) {
    if (!budget.spent()) {
      if (saidWaiting) {
        LOGGER.atInfo().log("the broker takes records again, reading on");
      }
      saidWaiting = false;
      spentSince = -1;
    } else if (spentSince < 0) {
      spentSince = now;
    } else if (!saidWaiting && now - spentSince > PATIENCE_NANOS) {
      saidWaiting = true;
      LOGGER
          .atWarn()
          .addKeyValue("inFlight", budget)
          .log("the broker takes no records, reading stops until it does");
    }
  }
}
