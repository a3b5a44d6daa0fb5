package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Orders a job's runs by the times of their lines. If lines carry no times, orders them by the
/// names of the files (`0.log` before `1.log`, `run1/…` before `run2/…`) and by the place in the
/// file, since a restart in the same container continues in the same file.
final class RunOrder {
  private static final Comparator<Place> BY_FILE =
      Comparator.comparing(Place::file).thenComparingLong(Place::offset);

  private RunOrder() {}

  static List<Run> of(Collection<Run> runs) {
    boolean dated = runs.stream().allMatch(run -> run.firstNanos() != NO_TIME);
    var order =
        dated
            ? Comparator.<Place>comparingLong(place -> place.run.firstNanos())
                .thenComparing(BY_FILE)
            : BY_FILE;
    return runs.stream()
        .map(Place::new)
        .sorted(order.thenComparing(place -> place.run.id()))
        .map(place -> place.run)
        .toList();
  }

  /// Where the lines of a run begin, looked up once and only if times do not decide.
  private static final class Place {
    final Run run;
    private @Nullable String file;
    private long offset = -1;

    Place(Run run) {
      this.run = run;
    }

    String file() {
      if (file == null) {
        file = firstFile(run);
      }
      return file;
    }

    long offset() {
      if (offset < 0) {
        offset = firstOffset(run, file());
      }
      return offset;
    }
  }

  private static String firstFile(Run run) {
    return run.processes().stream()
        .map(process -> process.source().file())
        .min(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
        .orElse("");
  }

  private static long firstOffset(Run run, String file) {
    long first = Long.MAX_VALUE;
    for (var process : run.processes()) {
      if (process.source().file().equals(file)) {
        for (var membership : process.memberships().values()) {
          // versions without START print one line when a communicator is up
          var began = membership.proof(Membership.Statement.START);
          var start = began == null ? membership.proof(Membership.Statement.COMPLETE) : began;
          if (start != null) {
            first = Math.min(first, start.offset());
          }
        }
      }
    }
    return first;
  }
}
