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

/// What a table's rows should reach at large sizes.
///
/// @param atMost the bus bandwidth in GB/s that the links allow
/// @param share what a healthy one reaches of it, 0 to 1
/// @param why which links, in words
public record BusBandwidth(double atMost, double share, String why) {
  private static final Set<String> RINGS =
      Set.of("", "all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce", "reduce_all");

  private static final Set<String> EXCHANGES = Set.of("alltoall", "sendrecv");

  /// What exchanges between all pairs reach of what a ring reaches, within one machine.
  private static final double SHARE_OF_EXCHANGES = 0.7;

  /// NVIDIA's names of cards without NVLink, or with a bridge between two of them only.
  private static final Set<String> CARDS = Set.of("PCIE", "NVL");

  /// Up to the V100 GPUs of one machine are linked one by one, so that some of them have some of
  /// the links only; since then four and more reach all of them (boards of four GPUs have no switch
  /// either).
  private static final int LEAST_GPUS = 4;

  private static final String HYBRID_MESH = "V100";
  private static final int WHOLE_MESH = 8;

  /// InfiniBand of 2014 and later: four ports and more are those of machines with a port for each
  /// GPU or two, whose GPUs are younger.
  private static final double EDR_GBPS = 12.5;

  private static final int LEAST_PORTS = 4;

  /// What may be lost on the way from the ports to a ring, beyond what is lost on NVLink.
  private static final double SHARE_OF_PORTS = 0.7;

  /// What rows of 64 MiB and more reach of what those of 1 GiB reach.
  private static final double SHARE_AT_MEDIUM_SIZES = 0.55;

  /// From here on it is healthy.
  public double least() {
    return atMost * share;
  }

  /// The same for sizes that do not fill the links yet.
  public BusBandwidth atMediumSizes() {
    return new BusBandwidth(atMost, share * SHARE_AT_MEDIUM_SIZES, why);
  }

  /// Nothing where nobody knows what the machine can do, or what the operation makes of it.
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

  /// A pod with some of the GPUs has its share of the network cards; NVLink belongs to each GPU.
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

  /// How many ports of each host the ranks can use at once, by what NCCL found; nothing where not
  /// all between hosts goes over InfiniBand into the GPUs' memory. RoCE's ports may be of any
  /// speed.
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

  /// By the model's name alone: every machine with this model and NVLink has the same links a GPU.
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
