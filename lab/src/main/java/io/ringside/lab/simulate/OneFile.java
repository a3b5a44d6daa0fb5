package io.ringside.lab.simulate;

import io.ringside.lab.simulate.GeneratedJob.Sent;
import io.ringside.lab.simulate.PodLog.Written;
import io.ringside.schemas.event.LogSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.function.Consumer;

/// The lines of all hosts in one file, each with what its launcher puts before it, in the order in
/// which they were written. Times, where there are any, are NCCL's own, by the clock of each line's
/// host.
final class OneFile {
  private final JobPlan plan;
  private final Layout layout;
  private final Duration chunk;
  private final List<Written> all = new ArrayList<>();

  OneFile(JobPlan plan, Layout layout, Duration chunk) {
    this.plan = plan;
    this.layout = layout;
    this.chunk = chunk;
  }

  /// Adds what a pod writes.
  void add(int pod, List<Line> lines, NodeClock clock) {
    lines.sort(Comparator.comparingDouble(Line::at));
    var ranks = new HashMap<Integer, Integer>();
    int first = pod * plan.gpusPerPod();
    for (int rank = first + plan.gpusPerPod() - 1; rank >= first; rank--) {
      ranks.put(layout.place(rank).pid(), rank);
    }
    var stamper = new PodLog(source(), plan.output(), plan.version(), clock, chunk.toNanos());
    for (var line : lines) {
      int rank = ranks.getOrDefault(line.pid(), first);
      var prefix = plan.setting().gathering().prefix(rank, plan.ranks(), layout.podName(pod));
      for (var written : stamper.written(List.of(line))) {
        all.add(new Written(written.nanos(), prefix + written.text()));
      }
    }
  }

  /// Sends them as the agent of the first node reads them.
  void send(long began, NodeClock clock, boolean end, Consumer<Sent> to) {
    all.sort(Comparator.comparingLong(Written::nanos));
    new PodLog(source(), Output.READ, plan.version(), clock, chunk.toNanos())
        .sendAsIs(began, all, end, to);
  }

  private LogSource source() {
    return new LogSource(
        "eu-1",
        Layout.nodeName(plan, 0),
        "",
        plan.name(),
        "",
        "",
        plan.name(),
        "/shared/logs/" + plan.name() + ".out");
  }
}
