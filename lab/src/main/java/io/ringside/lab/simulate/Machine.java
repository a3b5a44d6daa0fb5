package io.ringside.lab.simulate;

import java.util.List;

/// A kind of node: what its GPUs are, how they are linked, and which network it has.
///
/// @param name in words
/// @param instanceType the cloud's name, empty on premises
/// @param gpuName as nvidia-smi names it
/// @param computeCapability times ten
/// @param link what `topo -m` says between any two GPUs
/// @param efa EFA interfaces
/// @param gdr whether the NICs reach GPU memory
/// @param transportProtocol of the OFI plugin
/// @param buses PCI bus and device of each GPU, `bus:device`
public record Machine(
    String name,
    String instanceType,
    String gpuName,
    int computeCapability,
    String link,
    int efa,
    boolean gdr,
    String transportProtocol,
    double idleWatts,
    double spinWatts,
    double busyWatts,
    double clockMHz,
    List<String> buses) {

  /// On premises: H200 with NVSwitch, Ethernet only. The machine of most recordings.
  public static final Machine H200 =
      new Machine(
          "H200 box",
          "",
          "NVIDIA H200",
          90,
          "NV18",
          0,
          false,
          "",
          78,
          145,
          520,
          1980,
          List.of("00:06", "00:07", "00:08", "00:09", "00:0a", "00:0b", "00:0c", "00:0d"));

  public static final Machine P4D =
      new Machine(
          "p4d",
          "p4d.24xlarge",
          "NVIDIA A100-SXM4-40GB",
          80,
          "NV12",
          4,
          true,
          "SENDRECV",
          55,
          95,
          330,
          1410,
          List.of("10:1c", "10:1d", "20:1c", "20:1d", "90:1c", "90:1d", "a0:1c", "a0:1d"));

  public static final Machine P5 =
      new Machine(
          "p5",
          "p5.48xlarge",
          "NVIDIA H100 80GB HBM3",
          90,
          "NV18",
          32,
          true,
          "RDMA",
          70,
          135,
          560,
          1980,
          List.of("53:00", "64:00", "75:00", "86:00", "97:00", "a8:00", "b9:00", "ca:00"));

  public static final Machine G6E =
      new Machine(
          "g6e",
          "g6e.48xlarge",
          "NVIDIA L40S",
          89,
          "NODE",
          4,
          false,
          "RDMA",
          35,
          85,
          280,
          2520,
          List.of("9e:00", "a0:00", "a2:00", "a4:00", "c6:00", "c8:00", "ca:00", "cc:00"));

  /// Every kind.
  public static final List<Machine> ALL = List.of(H200, P4D, P5, G6E);

  public Machine {
    buses = List.copyOf(buses);
  }

  /// GPUs of a node.
  public int gpus() {
    return buses.size();
  }

  /// Whether NCCL lets two GPUs of one process group talk directly.
  public boolean p2p() {
    return link.startsWith("NV");
  }

  /// What the links of a GPU carry one way, GB/s: 25 a link of NVLink, else about what shared memory does.
  double linkGBps() {
    return p2p() ? 25.0 * Integer.parseInt(link.substring(2)) : 12;
  }

  /// Whether NCCL itself chooses read mode: two GPUs of compute capability 8.0 over NVLink.
  public boolean readsByPolicy() {
    return p2p() && computeCapability == 80;
  }

  /// The bus id in NCCL's packed hexadecimal form, such as `101d0` for `0000:10:1d.0`.
  String packedBusId(int gpu) {
    var parts = buses.get(gpu).split(":", 2);
    long packed = Long.parseLong(parts[0], 16) << 12 | Long.parseLong(parts[1], 16) << 4;
    return Long.toHexString(packed);
  }

  /// The bus id as agents write it.
  String busId(int gpu) {
    return "0000:" + buses.get(gpu) + ".0";
  }
}
