package io.ringside.streams.examine;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.GpuLink;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.hardware.LinkHistory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.Function;

/// What nvidia-smi last said of the links, rows and errors of a process's GPU, and of the run's
/// other GPUs.
///
/// @param others those of which anything is said
public record GpuLooks(TrainingProcess process, LinkHistory own, List<LinkHistory> others) {

  /// Of each rank whose GPU was looked at, in the order of ranks; nothing of a run that is not the
  /// newest, whose GPUs may be another's by now.
  public static List<GpuLooks> of(Examination examination) {
    var looks = new ArrayList<GpuLooks>();
    if (!examination.newestRun()) {
      return looks;
    }
    var run = examination.run();
    var links = new HashMap<>(run.links());
    links.putAll(run.unheld().links());
    var all = links.values().stream().filter(each -> !each.recent().isEmpty()).toList();
    for (var process : run.gpuHolders()) {
      var own = links.get(process.id());
      if (own != null && !own.recent().isEmpty()) {
        looks.add(new GpuLooks(process, own, all.stream().filter(other -> other != own).toList()));
      }
    }
    return looks;
  }

  /// PCI bus id of the GPU.
  public String busId() {
    return own.busId();
  }

  /// What was said last.
  public GpuLink last() {
    return own.recent().getLast().link();
  }

  /// The last looks as they prove something.
  ///
  /// @param command that says so
  /// @param words of one look
  public List<Evidence> proofs(String command, Function<GpuLink, String> words) {
    return own.recent().stream()
        .map(
            look ->
                Evidence.ofSensor(
                    Nanos.instant(look.atNanos()),
                    process.source(),
                    command,
                    "GPU %s: %s".formatted(busId(), words.apply(look.link()))))
        .toList();
  }
}
