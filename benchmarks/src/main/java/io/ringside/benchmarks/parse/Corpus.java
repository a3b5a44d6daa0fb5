package io.ringside.benchmarks.parse;

import io.ringside.schemas.event.Text;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// Lines of training jobs: 15 % edges, 45 % other NCCL lines, 40 % lines of the training itself, in runs as ranks write them.
///
/// @param lines without line feeds
public record Corpus(List<String> lines) {

  private static final int RUN = 16;

  private static final List<String> NCCL =
      List.of(
          "NCCL_SOCKET_IFNAME set by environment to ^docker0,lo",
          "Bootstrap: Using eth0:10.0.4.51<0>",
          "cudaDriverVersion 13000",
          "NCCL version 2.27.3+cuda12.9",
          "NET/Plugin: Loaded net plugin Libfabric (v10)",
          "NET/Plugin: Failed to find ncclCollNetPlugin_v10 symbol.",
          "Successfully loaded external plugin libnccl-net.so",
          "NET/OFI Initializing aws-ofi-nccl 1.16.2",
          "NET/OFI Using Libfabric version 2.1",
          "NET/OFI Adding NCCL_BUFFSIZE=8388608 to environment",
          "NET/OFI Selected provider is efa, fabric is efa (found 1 nics)",
          "NET/IB : No device found.",
          "NET/IB : Using [RO]; OOB eth0:10.0.4.51<0>",
          "Using network Libfabric",
          "ncclCommInitRankConfig comm 0x562b2c1973d0 rank 0 nranks 32 cudaDev 0 nvmlDev 0 busId 101d0"
              + " commId 0xbc42413ad5ab3a45 - Init START",
          "RAS client listening socket at ::1<28028>",
          "Bootstrap timings total 8.128340 (create 0.000044, send 0.000162, recv 1.970281, ring"
              + " 0.000162, delay 0.000000)",
          "Setting affinity for GPU 0 to 0-23,48-71",
          "comm 0x562b2c1973d0 rank 0 nRanks 32 nNodes 4 localRanks 8 localRank 0 MNNVL 0",
          "Channel 00/02 : 0 1 2 3 4 5 6 7",
          "Trees [0] 2/-1/-1->0->-1 [1] -1/-1/-1->0->1",
          "P2P Chunksize set to 131072",
          "PROFILER/Plugin: Could not find: libnccl-profiler.so. ",
          "[Proxy Service] Device 0 CPU core 12",
          "threadThresholds 8/8/64 | 32/8/64 | 512 | 512",
          "2 coll channels, 2 collnet channels, 0 nvls channels, 2 p2p channels, 2 p2p channels per peer",
          "CC Off, workFifoBytes 1048576",
          "Init timings - ncclCommInitRankConfig: rank 0 nranks 32 total 59.98 (kernels 0.13, alloc"
              + " 0.01, bootstrap 59.83, allgathers 0.01, topo 0.00, graphs 0.00, connections 0.00,"
              + " rest 0.00)",
          "Connected all rings, use ring PXN 0 GDR 1",
          "Connected all trees");

  private static final List<String> TRANSPORTS =
      List.of(
          " via P2P/CUMEM",
          " via P2P/CUMEM/read",
          " via SHM/direct/direct",
          " [send] via NET/Libfabric/0/GDRDMA",
          " [receive] via NET/Libfabric/1/GDRDMA",
          " [send] via NET/Socket/0");

  private static final List<String> TRAINING =
      List.of(
          "MA 14.96 GB         Max_MA 14.96 GB         CA 15.08 GB         Max_CA 15 GB ",
          "CPU Virtual Memory:  used = 36.11 GB, percent = 14.5%",
          "Before creating fp32 partitions",
          "  Total optimization steps = 1,722",
          "Adam Optimizer #0 is created with AVX2 arithmetic capability.",
          "Detected ZeRO Offload and non-DeepSpeed optimizers: This combination should work as long"
              + " as the custom optimizer has both CPU and GPU implementation (except LAMB)",
          "[rank0]:W1228 16:05:29.287000 152 site-packages/torch/utils/cpp_extension.py:2425]"
              + " TORCH_CUDA_ARCH_LIST is not set, all archs for visible cards are included.",
          "{'loss': 2.1234, 'grad_norm': 1.52345678901234, 'learning_rate': 1.9988e-05, 'epoch': 0.02}",
          "{'loss': 1.8811, 'grad_norm': 0.9912, 'learning_rate': 1.9977e-05, 'epoch': 0.04}",
          "  6%|▌         | 103/1722 [58:33<15:21:17, 34.14s/it]",
          "  7%|▋         | 120/1722 [1:08:14<15:10:50, 34.11s/it]");

  public Corpus {
    lines = List.copyOf(lines);
  }

  /// Writes so many made-up lines to a file, each with a line feed.
  public static void write(Path file, int count) throws IOException {
    var random = random();
    try (var out = Files.newBufferedWriter(file)) {
      var run = new ArrayList<String>(RUN);
      for (int written = 0; written < count; written += RUN) {
        run.clear();
        addRun(random, run);
        for (var line : run.subList(0, Math.min(RUN, count - written))) {
          out.write(line);
          out.write('\n');
        }
      }
    }
  }

  /// So many lines of a file, from its beginning again where it is shorter; made up if the name is empty.
  static Corpus of(String file, int count) throws IOException {
    if (file.isEmpty()) {
      return madeUp(count);
    }
    var all = Files.readAllLines(Path.of(file), StandardCharsets.UTF_8);
    var lines = new ArrayList<String>(count);
    while (lines.size() < count) {
      lines.addAll(all.subList(0, Math.min(all.size(), count - lines.size())));
    }
    return new Corpus(lines);
  }

  private static Corpus madeUp(int count) {
    var random = random();
    var lines = new ArrayList<String>(count + RUN);
    while (lines.size() < count) {
      addRun(random, lines);
    }
    return new Corpus(lines.subList(0, count));
  }

  private static RandomGenerator random() {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(20261120);
  }

  private static void addRun(RandomGenerator random, List<String> lines) {
    var kind = random.nextInt(100);
    var first = random.nextInt(1000);
    for (var i = 0; i < RUN; i++) {
      lines.add(
          kind < 15
              ? edge(random)
              : kind < 60
                  ? head(random) + NCCL.get((first + i) % NCCL.size())
                  : TRAINING.get((first + i) % TRAINING.size()));
    }
  }

  private static String head(RandomGenerator random) {
    var pid = random.nextInt(100, 9999);
    return "llama-3-8b-node-0-%d:%d:%d [%d] NCCL INFO "
        .formatted(random.nextInt(4), pid, pid + random.nextInt(600), random.nextInt(8));
  }

  private static String edge(RandomGenerator random) {
    return head(random)
        + "Channel %02d/%d : %d[%d] -> %d[%d]"
            .formatted(
                random.nextInt(32),
                random.nextInt(2),
                random.nextInt(32),
                random.nextInt(8),
                random.nextInt(32),
                random.nextInt(8))
        + TRANSPORTS.get(random.nextInt(TRANSPORTS.size()));
  }

  /// All lines as the chunks that a Kafka record carries, of up to 64 KiB.
  List<Text> chunks() {
    var chunks = new ArrayList<Text>();
    var chunk = new StringBuilder();
    for (var line : lines) {
      if (chunk.length() + line.length() >= 64 * 1024) {
        chunks.add(Text.of(chunk.toString()));
        chunk.setLength(0);
      }
      chunk.append(line).append('\n');
    }
    chunks.add(Text.of(chunk.toString()));
    return List.copyOf(chunks);
  }
}
