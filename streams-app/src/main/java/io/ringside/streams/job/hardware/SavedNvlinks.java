package io.ringside.streams.job.hardware;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.NvlinkEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Saved output of `nvidia-smi nvlink -e` and `-s` and `dcgmi nvlink -s` in one file, by the GPU's
/// UUID. Bounded: the first {@value #MOST_GPUS} GPUs, the last {@value #MOST_LOOKS} times.
public final class SavedNvlinks {
  private static final int MOST_GPUS = 64;
  private static final int MOST_LOOKS = 8;

  private final Map<String, Gpu> gpus = new TreeMap<>();
  private @Nullable Gpu current;

  /// Counts at one time.
  ///
  /// @param recoveries number of link recoveries
  /// @param others packets sent again or damaged
  /// @param line line of the largest count
  public record Look(long recoveries, long others, @Nullable Evidence line) {}

  /// The links of one GPU at one time.
  ///
  /// @param inactive number of inactive links, {@link #ALL} if the GPU has no link that is active
  /// @param line line of the first inactive link; if all links are active, of the first one
  public record State(int active, int inactive, Evidence line) {
    public static final int ALL = 1_000;
  }

  public static final class Gpu {
    private final int index;
    private final List<Look> looks = new ArrayList<>();
    private boolean begins;
    private long most;
    private String model = "";
    private @Nullable State state;
    private @Nullable State listed;

    private Gpu(int index) {
      this.index = index;
    }

    /// Model name that nvidia-smi prints.
    public String model() {
      return model;
    }

    /// Number of active and inactive links in the newest listing of them, null if there is none.
    public @Nullable State state() {
      return state;
    }

    private boolean linked() {
      return model.isEmpty() && state != null && state.active() > 0 && state.inactive() == 0;
    }

    private void link(boolean active, Evidence line) {
      var before = listed == null ? new State(0, 0, line) : listed;
      listed =
          active
              ? new State(before.active() + 1, before.inactive(), before.line())
              : new State(
                  before.active(),
                  before.inactive() + 1,
                  before.inactive() == 0 ? line : before.line());
      state = listed;
    }

    private void unlinked(Evidence line) {
      listed = new State(0, State.ALL, line);
      state = listed;
    }

    /// Index that nvidia-smi prints.
    public int index() {
      return index;
    }

    /// Counts in the order of the file.
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

  /// Reads one line. Lines come in order.
  public void note(NvlinkEvent event, Evidence line) {
    switch (event) {
      case NvlinkEvent.Gpu gpu -> {
        var id = gpu.uuid() + " " + gpu.index(); // a posted listing may have equal ids
        current =
            !gpu.uuid().isEmpty() && (gpus.size() < MOST_GPUS || gpus.containsKey(id))
                ? gpus.computeIfAbsent(id, _ -> new Gpu(gpu.index()))
                : null;
        if (current != null) {
          current.begins = true;
          current.listed = null;
          current.model = gpu.model();
        }
      }
      case NvlinkEvent.Errors errors -> {
        if (current != null) {
          current.count(errors, line);
        }
      }
      case NvlinkEvent.Link link -> {
        if (current != null) {
          current.link(link.active(), line);
        }
      }
      case NvlinkEvent.NoLinks _ -> {
        if (current != null) {
          current.unlinked(line);
        }
      }
    }
  }

  /// Combines several files, by GPU.
  public static Map<String, Gpu> together(Collection<SavedNvlinks> files) {
    var all = new TreeMap<String, Gpu>();
    for (var file : files) {
      file.gpus.forEach(
          (uuid, gpu) -> {
            var one = all.computeIfAbsent(uuid, _ -> new Gpu(gpu.index));
            one.looks.addAll(gpu.looks);
            one.model = gpu.model;
            one.state = gpu.state == null ? one.state : gpu.state;
          });
    }
    return all;
  }

  /// Whether a GPU that is built to have links lacks some.
  public boolean lacks() {
    return gpus.values().stream()
        .anyMatch(
            gpu -> gpu.state != null && gpu.state.inactive() > 0 && builtIn(gpu, gpus.values()));
  }

  /// Whether the GPU's board links all GPUs. For cards in slots a bridge is optional, and some
  /// cards have no links. If no model is named, an odd number of GPUs with all links up shows such
  /// a board, since bridges link two or four.
  public static boolean builtIn(Gpu gpu, Collection<Gpu> listed) {
    return gpu.model.isEmpty()
        ? listed.stream().filter(Gpu::linked).count() % 2 == 1
        : BUILT_IN.matcher(gpu.model).find() && !CARD.matcher(gpu.model).find();
  }

  private static final Pattern BUILT_IN =
      Pattern.compile("SXM|HBM3|\\b(?:H20|H200|H800|G?B[23]00)\\b");

  private static final Pattern CARD = Pattern.compile("PCI[Ee]|NVL|RTX|GH200");
}
