package io.ringside.shipper.source.topology;

import io.ringside.schemas.event.NodeTopology;
import io.ringside.shipper.source.LoopingSource;
import io.ringside.shipper.source.gpu.BusId;
import io.ringside.shipper.source.gpu.NvidiaSmi;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads how the node's GPUs are connected, at the start and then at the configured interval; after
/// a failure, again in a minute.
public final class TopologyProbe extends LoopingSource {
  private static final Logger LOGGER = LoggerFactory.getLogger(TopologyProbe.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration RETRY = Duration.ofMinutes(1);

  private final String cluster;
  private final String node;
  private final String instanceType;
  private final NvidiaSmi smi;
  private final Duration interval;
  private final Consumer<NodeTopology> sink;
  private final InstantSource clock;
  private Duration rest = RETRY;
  private boolean saidAbsent;

  /// @param instanceType the cloud's name of the machine, empty if unknown
  public TopologyProbe(
      String cluster,
      String node,
      String instanceType,
      NvidiaSmi smi,
      Duration interval,
      Consumer<NodeTopology> sink,
      InstantSource clock,
      LongSupplier ticker) {
    super("topology", ticker);
    this.cluster = cluster;
    this.node = node;
    this.instanceType = instanceType;
    this.smi = smi;
    this.interval = interval;
    this.sink = sink;
    this.clock = clock;
  }

  @Override
  protected void round() {
    try {
      sink.accept(probe());
      saidAbsent = false;
      rest = interval;
    } catch (IOException | RuntimeException e) {
      rest = RETRY;
      if (!saidAbsent) {
        saidAbsent = true;
        LOGGER
            .atInfo()
            .addKeyValue("reason", e.getMessage())
            .log("the topology of this node is unknown, going on without");
      }
    }
  }

  @Override
  protected Duration rest() {
    return rest;
  }

  /// Reads the current topology from nvidia-smi.
  ///
  /// @throws IOException if nvidia-smi fails
  NodeTopology probe() throws IOException {
    var gpus = new ArrayList<NodeTopology.Gpu>();
    String driver = "";
    String list =
        smi.run(
            PATIENCE,
            "--query-gpu=index,pci.bus_id,uuid,driver_version,name",
            "--format=csv,noheader");
    for (String line : list.lines().toList()) {
      String[] cells = line.split("\\s*,\\s*", 5);
      if (cells.length == 5 && cells[0].matches("\\d+")) {
        gpus.add(
            new NodeTopology.Gpu(
                Integer.parseInt(cells[0]), BusId.normal(cells[1]), cells[2], cells[4].strip()));
        driver = cells[3];
      }
    }
    return new NodeTopology(cluster, node, clock.instant(), instanceType, driver, gpus, links());
  }

  /// The links, empty if unknown: a virtual machine may not show them, and the GPUs alone are still
  /// worth sending.
  private List<List<String>> links() {
    try {
      return TopologyMatrix.parse(smi.run(PATIENCE, "topo", "-m"))
          .map(TopologyMatrix::links)
          .orElse(List.of());
    } catch (IOException e) {
      LOGGER.atInfo().addKeyValue("reason", e.getMessage()).log("no links between GPUs known");
      return List.of();
    }
  }
}
