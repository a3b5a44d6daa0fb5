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

/// The latest nvidia-smi readings of the links, rows and errors of a process's GPU, and of the
/// run's other GPUs.
///
/// @param others the other GPUs that have readings
public record GpuLinkReadings(TrainingProcess process, LinkHistory own, List<LinkHistory> others) {

  /// Readings of each rank whose GPU has some, in rank order. Empty for a run that is not the
  /// newest, because another run may hold its GPUs by now.
  public static List<GpuLinkReadings> of(Examination examination) {
    var looks = new ArrayList<GpuLinkReadings>();
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
        looks.add(
            new GpuLinkReadings(process, own, all.stream().filter(other -> other != own).toList()));
      }
    }
    return looks;
  }

  /// PCI bus ID of the GPU.
  public String busId() {
    return own.busId();
  }

  /// The latest reading.
  public GpuLink last() {
    return own.recent().getLast().link();
  }

  /// The recent readings as evidence.
  ///
  /// @param command the command that printed them
  /// @param words text for one reading
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
