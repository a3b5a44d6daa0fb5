package io.ringside.streams.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Healthy logs that have something of a faulty one: nothing above a note is told of them.
class InnocentLogsTest {
  static Stream<Arguments> logs() {
    return Stream.of(
        named(
            "InfiniBand is switched off where EFA carries",
            hosts(
                2,
                "Libfabric",
                "NET/Libfabric/0/GDRDMA",
                "NCCL_IB_DISABLE set by environment to 1.")),
        named("hosts whose RoCE addresses lie at different places", gidIndexes(2, 1)),
        named(
            "Slingshot behind libfabric",
            hosts(
                2,
                "AWS Libfabric",
                "NET/AWS Libfabric/0",
                "NET/OFI Selected Provider is cxi, fabric is cxi (found 4 nics)")),
        named(
            "InfiniBand with its variables",
            hosts(
                2,
                "IB",
                "NET/IB/0/GDRDMA",
                "NCCL_IB_HCA set by environment to mlx5",
                "NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:10.0.0.1<0>",
                "NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_0'")),
        named(
            "the plugin of NVIDIA's images on InfiniBand",
            hosts(
                2,
                "IBext_v8",
                "NET/IBext_v8/0/GDRDMA",
                "P2P plugin v8 IBext_v8",
                "Plugin Path : /opt/hpcx/nccl_rdma_sharp_plugin/lib/libnccl-net.so")),
        named(
            "GPUDirect-TCPXO in use",
            hosts(
                2,
                "FasTrak",
                "NET/FasTrak/0",
                "NCCL_NET set by environment to FasTrak",
                "NET/Plugin: Loaded net plugin FasTrak (v7)",
                "NET/IB : No device found.")),
        named(
            "RoCE of Google's plugin in use",
            hosts(2, "gIB", "NET/gIB/0/GDRDMA", "NCCL_NET_PLUGIN set by environment to gib")),
        named(
            "one host that chose sockets and needs none",
            hosts(
                1,
                "Socket",
                "P2P/CUMEM",
                "NET/IB : No device found.",
                "NVLS multicast support is not available on dev 0",
                "NCCL_IB_HCA set by environment to mlx5_0")),
        named(
            "NVLS is switched off by somebody",
            hosts(
                1,
                "Socket",
                "P2P/CUMEM",
                "NCCL_NVLS_ENABLE set by environment to 0.",
                "NVLS multicast support is available on dev 0")),
        named(
            "a card in a short slot beside one in a long",
            hosts(
                1,
                "Socket",
                "SHM/direct/direct",
                "GPU/0-1000 :GPU/0-1000 (0/5000.0/LOC) GPU/0-2000 (2/6.0/PHB) CPU/0-0 (1/24.0/PHB)",
                "GPU/0-2000 :GPU/0-1000 (2/6.0/PHB) GPU/0-2000 (0/5000.0/LOC) CPU/0-0 (1/6.0/PHB)")),
        named(
            "eight H100 measured up to 128 MiB",
            tests(1, 8, "NVIDIA H100 80GB HBM3", 1L << 27, 250)),
        named("two of eight V100", tests(1, 2, "Tesla V100-SXM2-32GB", 1L << 30, 46)),
        named("PCIe cards, in capitals", tests(1, 4, "A100-PCIE-40GB", 1L << 30, 18)),
        named("hosts of an unknown kind", tests(4, 8, "NVIDIA H100 80GB HBM3", 1L << 33, 38)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("logs")
  void nothingAboveANoteIsTold(String name, HandMadeLog log) {
    assertThat(log.findings())
        .as(name)
        .noneMatch(finding -> finding.severity().compareTo(Severity.INFO) > 0);
  }

  private static Arguments named(String name, HandMadeLog log) {
    return Arguments.of(name, log);
  }

  /// Two ranks a host.
  private static HandMadeLog hosts(
      int hosts, String network, String transport, String... messages) {
    var log = new HandMadeLog();
    var extra = new ArrayList<String>();
    List.of(messages).forEach(message -> extra.add("NCCL INFO " + message));
    int nranks = 2 * hosts;
    for (int rank = 0; rank < nranks; rank++) {
      log.rank(rank, nranks, 2, network, extra.toArray(String[]::new)).up(rank, nranks, 2);
      boolean last = rank % 2 == 1 && hosts > 1;
      log.edge(rank, nranks, 2, last || hosts == 1 ? transport : "P2P/CUMEM");
    }
    return log;
  }

  /// Two hosts of two ranks with an index of RoCE addresses that changes after so many ranks.
  private static HandMadeLog gidIndexes(int after, int most) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 4; rank++) {
      var index =
          "NCCL INFO NCCL_IB_GID_INDEX set by environment to " + Math.min(most, rank / after);
      log.rank(rank, 4, 2, "IB", index).up(rank, 4, 2);
      log.edge(rank, 4, 2, rank % 2 == 1 ? "NET/IB/0/GDRDMA" : "P2P/CUMEM");
    }
    return log;
  }

  @Test
  void warnsOfARankWhoseVariableDiffersWithinItsHost() {
    assertThat(gidIndexes(1, 1).findings())
        .filteredOn(finding -> finding.kind() == FindingKind.ENV_DRIFT)
        .singleElement()
        .extracting(Finding::severity)
        .isEqualTo(Severity.WARNING);
  }

  private static HandMadeLog tests(int hosts, int gpus, String gpu, long bytes, double busbw) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < hosts * gpus; rank++) {
      log.line(
          "#  Rank %2d Group  0 Pid   %d on rack1-%02d device %2d [0000:%02x:00] %s"
              .formatted(rank, 7124 + rank, rank / gpus, rank % gpus, rank % gpus, gpu));
    }
    log.line(
        "%12d     268435456     float     sum      -1   4550.46   %.2f   %.2f       0   4546.02   %.2f   %.2f       0"
            .formatted(bytes, busbw / 1.5, busbw, busbw / 1.5, busbw));
    return log.line("# Out of bounds values : 0 OK").line("# Avg bus bandwidth    : 20.1");
  }
}
