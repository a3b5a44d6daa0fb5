package io.ringside.streams.node;

import io.ringside.streams.parse.event.FailureEvent.GpuFlag;
import io.ringside.streams.parse.event.FailureEvent.Said;
import io.ringside.streams.parse.event.FailureEvent.Tabled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Finds in nvidia-smi's tables that a GPU is no longer listed, and in the reports of
/// `dcgmi health -c` which GPUs fail. Remembered from chunk to chunk. Owned by one stream thread.
final class GpuTables {
  /// Most hosts whose tables may be in one file.
  private static final int MOST_PLACES = 1_024;

  private static final int MOST_GPUS = 64;

  /// If fewer GPUs than this are left, the user may have chosen to list only those.
  private static final int LEAST_LEFT = 2;

  private final Map<String, Place> places = new HashMap<>();

  /// The GPU of the last row, empty after the rule that ends the row.
  private String last = "";

  /// State of the tables whose lines have the same prefix.
  static final class Place {
    /// Bus ids in the current table, in its order.
    private final List<String> gpus = new ArrayList<>();

    private boolean inOrder;
    private int rules;

    /// Bus ids in the last complete table.
    private List<String> before = List.of();

    private String gone = "";

    private boolean ofGpus;
    private int entity;

    /// Failures such as `GPU 3: Memory system` in DCGM's reports since the last healthy one.
    private final TreeSet<String> failing = new TreeSet<>();

    private Optional<GpuFlag> gpu(int number, String busId) {
      if (gpus.isEmpty() || number == 0) {
        gpus.clear();
        inOrder = true;
        rules = 0;
      }
      inOrder &= number == gpus.size();
      if (gpus.size() < MOST_GPUS) {
        gpus.add(busId);
      }
      if (busId.equals(gone)) {
        gone = "";
        return Optional.of(new GpuFlag(busId, GpuFlag.UNLISTED, ""));
      }
      return Optional.empty();
    }

    /// Handles the end of a table. It is complete if each GPU has its rule: then no row was torn or
    /// lost. After the loss of a GPU the others are renumbered; a query for some GPUs
    /// (`-i 0,2,5`) shows their own numbers.
    private Optional<GpuFlag> listed() {
      var now = List.copyOf(gpus);
      gpus.clear();
      if (now.isEmpty() || !inOrder || rules != now.size()) {
        return Optional.empty();
      }
      if (!before.containsAll(now)) {
        before = now;
        return Optional.empty();
      }
      if (!gone.isEmpty() || now.size() != before.size() - 1 || now.size() < LEAST_LEFT) {
        return Optional.empty();
      }
      gone = before.stream().filter(busId -> !now.contains(busId)).findFirst().orElseThrow();
      return Optional.of(
          new GpuFlag(
              gone,
              GpuFlag.UNLISTED,
              "lists %d GPUs, %d before".formatted(now.size(), before.size())));
    }

    private Optional<GpuFlag> health(String words) {
      ofGpus = false;
      if (words.equals("Failure") || failing.isEmpty()) {
        return Optional.empty();
      }
      failing.clear();
      return Optional.of(new GpuFlag("", GpuFlag.HEALTH, ""));
    }

    private Optional<GpuFlag> system(String words) {
      return ofGpus
              && failing.size() < MOST_GPUS
              && failing.add("GPU %d: %s".formatted(entity, words))
          ? Optional.of(new GpuFlag("", GpuFlag.HEALTH, String.join(", ", failing)))
          : Optional.empty();
    }
  }

  /// The flag that the lines so far report.
  Optional<GpuFlag> read(Tabled line) {
    if (places.size() >= MOST_PLACES && !places.containsKey(line.where())) {
      return Optional.empty();
    }
    var place = places.computeIfAbsent(line.where(), _ -> new Place());
    return switch (line.part()) {
      case GPU -> {
        last = "GPU %d, %s".formatted(line.number(), line.words());
        yield place.gpu(line.number(), line.words());
      }
      case RULE -> {
        last = "";
        place.rules++;
        yield Optional.empty();
      }
      case LISTED -> place.listed();
      case HEALTH -> place.health(line.words());
      case KIND -> {
        place.ofGpus = line.words().equals("GPU");
        yield Optional.empty();
      }
      case ENTITY -> {
        place.entity = line.number();
        yield Optional.empty();
      }
      case SYSTEM -> place.system(line.words());
    };
  }

  /// Adds the GPU of the row before to a row that nvidia-smi could not fill in.
  Said naming(Said said) {
    return said.words().startsWith(Said.ROW) && !last.isEmpty()
        ? new Said(said.rank(), said.failureClass(), last + ": " + said.words())
        : said;
  }
}
