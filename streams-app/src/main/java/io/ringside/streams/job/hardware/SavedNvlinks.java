package io.ringside.streams.job.hardware;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.NvlinkEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What `nvidia-smi nvlink -e` said in one file, by the GPU's UUID. Bounded: the first {@value #MOST_GPUS} GPUs, the last
/// {@value #MOST_LOOKS} times.
public final class SavedNvlinks {
  private static final int MOST_GPUS = 64;
  private static final int MOST_LOOKS = 8;

  private final Map<String, Gpu> gpus = new TreeMap<>();
  private @Nullable Gpu current;

  /// One time.
  ///
  /// @param others packets sent again or damaged
  /// @param line of the largest count
  public record Look(long recoveries, long others, @Nullable Evidence line) {}

  public static final class Gpu {
    private final int index;
    private final List<Look> looks = new ArrayList<>();
    private boolean begins;
    private long most;

    private Gpu(int index) {
      this.index = index;
    }

    /// As nvidia-smi counts them.
    public int index() {
      return index;
    }

    /// In the order of the file.
    public List<Look> looks() {
      return looks;
    }

    private void count(NvlinkEvent.Errors errors, Evidence line) {
      if (begins) {
        looks.add(new Look(0, 0, null));
        begins = false;
        most = 0;
      }
      if (looks.size() > MOST_LOOKS) {
        looks.removeFirst();
      }
      var last = looks.removeLast();
      boolean proves = errors.count() > most;
      most = Math.max(most, errors.count());
      looks.add(
          new Look(
              last.recoveries() + (errors.recovery() ? errors.count() : 0),
              last.others() + (errors.recovery() ? 0 : errors.count()),
              proves ? line : last.line()));
    }
  }

  /// Takes in one line. Lines come in order.
  public void note(NvlinkEvent event, Evidence line) {
    switch (event) {
      case NvlinkEvent.Gpu gpu -> {
        current =
            gpus.size() < MOST_GPUS || gpus.containsKey(gpu.uuid())
                ? gpus.computeIfAbsent(gpu.uuid(), _ -> new Gpu(gpu.index()))
                : null;
        if (current != null) {
          current.begins = true;
        }
      }
      case NvlinkEvent.Errors errors -> {
        if (current != null) {
          current.count(errors, line);
        }
      }
    }
  }

  /// What several files say of each GPU, together.
  public static Map<String, Gpu> together(Collection<SavedNvlinks> files) {
    var all = new TreeMap<String, Gpu>();
    for (var file : files) {
      file.gpus.forEach(
          (uuid, gpu) ->
              all.computeIfAbsent(uuid, _ -> new Gpu(gpu.index)).looks.addAll(gpu.looks));
    }
    return all;
  }
}
