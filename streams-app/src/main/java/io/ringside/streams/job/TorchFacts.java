package io.ringside.streams.job;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.TorchEvent;

/// Applies PyTorch's lines to the ranks of a run.
final class TorchFacts {
  private TorchFacts() {}

  static void note(TorchEvent event, Evidence line, Run run) {
    switch (event) {
      case TorchEvent.WatchdogTimeout e ->
          run.watchdog(
              e.rank(),
              new Watchdog(
                  Watchdog.of(e, line),
                  e.group(),
                  e.sequence(),
                  e.opType(),
                  e.ranMillis(),
                  e.lastEnqueued(),
                  e.lastCompleted(),
                  line));
      case TorchEvent.DumpSignal e -> {
        run.watchdog(
            e.rank(),
            new Watchdog(
                Watchdog.Voice.HEARD,
                e.group(),
                -1,
                "",
                -1,
                e.lastEnqueued(),
                e.lastCompleted(),
                line));
        if (e.fromRank() >= 0 && e.fromRank() != e.rank()) {
          run.watchdog(
              e.fromRank(),
              new Watchdog(Watchdog.Voice.SAID_TO_HAVE, "", -1, "", -1, -1, -1, line));
        }
      }
      case TorchEvent.WatchdogStuck e ->
          run.watchdog(
              e.rank(),
              new Watchdog(Watchdog.Voice.STUCK, "", -1, "", e.seconds() * 1000, -1, -1, line));
      case TorchEvent.LaggingRanks e -> run.lag(e.ranks(), line);
      case TorchEvent.UniqueIdWait e -> {
        if (e.rank() >= 0) {
          run.waitedForStore(e.rank(), new StoreWait(e.waitedMillis() / 1000, line));
        }
      }
      case TorchEvent.TakenDown _,
          TorchEvent.NcclFailure _,
          TorchEvent.StoreLost _,
          TorchEvent.ElasticFailure _,
          TorchEvent.FailureField _,
          TorchEvent.ElasticRestart _,
          TorchEvent.ElasticPhase _,
          TorchEvent.GroupOptions _,
          TorchEvent.ElasticRanks _ -> {
        // handled as failures, or only their time counts: it shows that the run goes on
      }
    }
  }
}
