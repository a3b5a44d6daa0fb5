package io.ringside.streams.examine;

import io.ringside.streams.expect.InstanceType;
import io.ringside.streams.job.bandwidth.Table;
import io.ringside.streams.parse.event.Transport;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/// Bus bandwidth that the rows of an nccl-tests table should reach at large sizes.
///
/// @param atMost the bus bandwidth in GB/s that the links allow
/// @param share share of it that a healthy run reaches, 0 to 1
/// @param why the links that this follows from, as text for reports
public record BusBandwidth(double atMost, double share, String why) {
  private static final Set<String> RINGS =
      Set.of("", "all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce", "reduce_all");

  private static final Set<String> EXCHANGES = Set.of("alltoall", "sendrecv");

  /// Bandwidth of exchanges between all pairs relative to a ring, within one machine.
  private static final double SHARE_OF_EXCHANGES = 0.7;

  /// Parts of NVIDIA's names of cards that have no NVLink, or only a bridge between two cards.
  private static final Set<String> CARDS = Set.of("PCIE", "NVL");

  /// Up to the V100, the GPUs of one machine are linked one to one, so a subset of the GPUs has
  /// only some of the links. Since then, four or more GPUs can use all links (boards of four GPUs
  /// have no switch either).
  private static final int LEAST_GPUS = 4;

  private static final String HYBRID_MESH = "V100";
  private static final int WHOLE_MESH = 8;

  /// InfiniBand of 2014 and later, in GB/s for each port. Four or more ports are found in machines
  /// with a port for every one or two GPUs, whose GPUs are newer than that.
  private static final double EDR_GBPS = 12.5;

  private static final int LEAST_PORTS = 4;

  /// Additional factor for losses between the ports and a ring, beyond the losses on NVLink.
  private static final double SHARE_OF_PORTS = 0.7;

  /// Bandwidth of rows of 64 MiB and more relative to rows of 1 GiB.
  private static final double SHARE_AT_MEDIUM_SIZES = 0.55;

  /// The lowest healthy bandwidth, in GB/s.
  public double least() {
    return atMost * share;
  }

  /// The same for sizes that do not yet fill the links.
  public BusBandwidth atMediumSizes() {
    return new BusBandwidth(atMost, share * SHARE_AT_MEDIUM_SIZES, why);
  }

  /// The expected bandwidth of a table; empty if it is unknown what the machine can do or how the
  /// operation uses the links.
  public static Optional<BusBandwidth> of(Table table, Examination examination) {
    var program = table.program().replace("_perf", "");
    boolean severalHosts = table.hosts().size() > 1;
    if (table.hosts().isEmpty()) {
      return Optional.empty();
    }
    if (!RINGS.contains(program) && (severalHosts || !EXCHANGES.contains(program))) {
      return Optional.empty();
    }
    double share =
        examination.expectations().thresholds().bandwidth().share()
            * (RINGS.contains(program) ? 1 : SHARE_OF_EXCHANGES);
    var machine = machine(examination);
    if (machine.isPresent()) {
      if (!severalHosts
          && machine.get().gpu().equals(HYBRID_MESH)
          && table.busIds().size() < WHOLE_MESH) {
        return Optional.empty();
      }
      double atMost = ofGpus(machine.get(), table) * machine.get().busGBpsAtMost(severalHosts);
      return atMost > 0
          ? Optional.of(
              new BusBandwidth(
                  atMost,
                  share,
                  severalHosts
                      ? "the network of " + name(examination)
                      : "NVLink of " + name(examination)))
          : Optional.empty();
    }
    return severalHosts
        ? infiniBand(table, examination)
            .map(
                ports ->
                    new BusBandwidth(
                        ports * EDR_GBPS,
                        share * SHARE_OF_PORTS,
                        "a network of %d InfiniBand ports of 100 Gbit/s".formatted(ports)))
        : nvlink(table, examination).stream()
            .mapToObj(
                links ->
                    new BusBandwidth(links, share, "NVLink of " + String.join(", ", table.gpus())))
            .findFirst();
  }

  /// Share of the machine's network that the table's GPUs have. A pod with some of the GPUs has its
  /// share of the network cards; NVLink belongs to each GPU.
  private static double ofGpus(InstanceType machine, Table table) {
    int hosts = table.hosts().size();
    if (hosts < 2 || table.busIds().isEmpty()) {
      return 1;
    }
    return Math.min(1, table.busIds().size() / (double) hosts / machine.gpus());
  }

  private static Optional<InstanceType> machine(Examination examination) {
    return examination.run().processes().stream()
        .flatMap(process -> examination.instanceType(process).stream())
        .findFirst()
        .or(
            () ->
                Optional.ofNullable(
                    examination
                        .expectations()
                        .instanceTypes()
                        .get(examination.expectations().instanceType())));
  }

  private static String name(Examination examination) {
    return Stream.concat(
            examination.run().processes().stream().map(examination::machine),
            Stream.of(examination.expectations().instanceType()))
        .filter(name -> !name.isEmpty())
        .findFirst()
        .orElse("the machine");
  }

  /// Number of ports of each host that the ranks can use at once, as found by NCCL. Empty unless
  /// all traffic between hosts goes over InfiniBand into the GPUs' memory. RoCE is left out,
  /// because its ports may have any speed.
  private static Optional<Integer> infiniBand(Table table, Examination examination) {
    if (nvlink(table, examination).isEmpty()) {
      return Optional.empty(); // PCIe within the hosts may carry less than their ports
    }
    var between =
        examination.edges().stream()
            .map(RunEdge::transport)
            .filter(Transport.Net.class::isInstance)
            .map(Transport.Net.class::cast)
            .toList();
    if (between.isEmpty()
        || !between.stream().allMatch(net -> net.network().equals("IB") && net.gdr())) {
      return Optional.empty();
    }
    int ports =
        examination.run().processes().stream()
            .mapToInt(
                process -> (int) process.hcas().stream().filter(hca -> hca.endsWith("/IB")).count())
            .min()
            .orElse(0);
    int used = Math.min(ports, table.busIds().size() / table.hosts().size());
    return used < LEAST_PORTS ? Optional.empty() : Optional.of(used);
  }

  /// NVLink bandwidth by the model's name alone: all machines with this model and NVLink have the
  /// same links per GPU.
  private static OptionalDouble nvlink(Table table, Examination examination) {
    if (table.gpus().size() != 1) {
      return OptionalDouble.empty();
    }
    var gpu = table.gpus().iterator().next().toUpperCase(Locale.ROOT);
    var words = Set.copyOf(List.of(gpu.split("[ _-]+")));
    if (CARDS.stream().anyMatch(gpu::contains)
        || table.busIds().size() < (words.contains(HYBRID_MESH) ? WHOLE_MESH : LEAST_GPUS)) {
      return OptionalDouble.empty();
    }
    return examination.expectations().instanceTypes().values().stream()
        .filter(type -> type.nvlink() && words.contains(type.gpu()))
        .mapToDouble(InstanceType::nvlinkGBps)
        .min();
  }
}
