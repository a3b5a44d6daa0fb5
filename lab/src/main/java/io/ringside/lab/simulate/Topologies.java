package io.ringside.lab.simulate;

import io.ringside.lab.simulate.GeneratedJob.Sent;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.NodeTopology;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What agents tell of their nodes at the start.
final class Topologies {
  private Topologies() {}

  static Stream<Sent> of(JobPlan plan, int nodes, Instant begin) {
    var machine = plan.machine();
    var gpus = new ArrayList<NodeTopology.Gpu>();
    var links = new ArrayList<List<String>>();
    for (int gpu = 0; gpu < machine.gpus(); gpu++) {
      gpus.add(new NodeTopology.Gpu(gpu, machine.busId(gpu), "GPU-" + gpu, machine.gpuName()));
      var row = new ArrayList<>(Collections.nCopies(machine.gpus(), machine.link()));
      row.set(gpu, "X");
      links.add(row);
    }
    return IntStream.range(0, nodes)
        .mapToObj(
            node ->
                new Sent(
                    Nanos.of(begin),
                    new NodeTopology(
                        "eu-1",
                        Layout.nodeName(plan, node),
                        begin,
                        machine.instanceType(),
                        "580.95.05",
                        gpus,
                        links)));
  }
}
