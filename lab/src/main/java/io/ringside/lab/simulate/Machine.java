package io.ringside.lab.simulate;

import java.util.List;

/// A kind of node: what its GPUs are, how they are linked, and which network it has.
///
/// @param name in words
/// @param instanceType the cloud's name, empty on premises
/// @param gpuName as nvidia-smi names it
/// @param computeCapability times ten
/// @param link what `topo -m` says between any two GPUs
/// @param fabric its network beyond the node
/// @param nics interfaces of it, 0 for plain Ethernet
/// @param gdr whether the NICs reach GPU memory
/// @param transportProtocol of the OFI plugin
/// @param buses PCI bus and device of each GPU, `bus:device`
public record Machine(
    String name,
    String instanceType,
    String gpuName,
    int computeCapability,
    String link,
    Fabric fabric,
    int nics,
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
          Fabric.ETHERNET,
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
          Fabric.EFA,
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
          Fabric.EFA,
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
          Fabric.EFA,
          4,
          false,
          "RDMA",
          35,
          85,
          280,
          2520,
          List.of("9e:00", "a0:00", "a2:00", "a4:00", "c6:00", "c8:00", "ca:00", "cc:00"));

  /// On premises: DGX H100 with eight InfiniBand interfaces of 400 Gb/s.
  public static final Machine DGX_H100 =
      new Machine(
          "DGX H100",
          "",
          "NVIDIA H100 80GB HBM3",
          90,
          "NV18",
          Fabric.INFINIBAND,
          8,
          true,
          "",
          70,
          135,
          560,
          1980,
          List.of("1b:00", "43:00", "52:00", "61:00", "9d:00", "c3:00", "d1:00", "df:00"));

  /// On premises: A100 with RoCE.
  public static final Machine ROCE_A100 =
      new Machine(
          "A100 box with RoCE",
          "",
          "NVIDIA A100-SXM4-80GB",
          80,
          "NV12",
          Fabric.ROCE,
          4,
          true,
          "",
          60,
          100,
          330,
          1410,
          List.of("07:00", "0b:00", "48:00", "4c:00", "88:00", "8b:00", "c8:00", "cb:00"));

  /// Google's a3-ultragpu: H200 with gIB, a plugin over RoCE.
  public static final Machine A3_ULTRA =
      new Machine(
          "a3-ultra",
          "a3-ultragpu-8g",
          "NVIDIA H200",
          90,
          "NV18",
          Fabric.GIB,
          8,
          true,
          "",
          78,
          145,
          560,
          1980,
          List.of("8f:00", "90:00", "96:00", "97:00", "c4:00", "c5:00", "cb:00", "cc:00"));

  /// Google's a3-megagpu: H100 with TCPXO.
  public static final Machine A3_MEGA =
      new Machine(
          "a3-mega",
          "a3-megagpu-8g",
          "NVIDIA H100 80GB HBM3",
          90,
          "NV18",
          Fabric.FASTRAK,
          8,
          true,
          "",
          70,
          135,
          560,
          1980,
          List.of("04:00", "05:00", "0a:00", "0b:00", "84:00", "85:00", "8a:00", "8b:00"));

  /// AMD MI300X with RoCE: RCCL, and no nvidia-smi.
  public static final Machine MI300X =
      new Machine(
          "MI300X",
          "",
          "AMD Instinct MI300X OAM",
          94,
          "XGMI",
          Fabric.ROCE,
          8,
          true,
          "",
          140,
          250,
          650,
          2100,
          List.of("0c:00", "22:00", "38:00", "5c:00", "9f:00", "af:00", "bf:00", "df:00"));

  /// Every kind.
  public static final List<Machine> ALL =
      List.of(H200, P4D, P5, G6E, DGX_H100, ROCE_A100, A3_ULTRA, A3_MEGA, MI300X);

  public Machine {
    buses = List.copyOf(buses);
  }

  /// GPUs of a node.
  public int gpus() {
    return buses.size();
  }

  /// EFA interfaces.
  public int efa() {
    return fabric == Fabric.EFA ? nics : 0;
  }

  /// Whether its GPUs are AMD's, and NCCL is RCCL.
  public boolean amd() {
    return link.equals("XGMI");
  }

  /// Whether NCCL lets two GPUs of one process group talk directly.
  public boolean p2p() {
    return link.startsWith("NV") || amd();
  }

  /// What the links of a GPU carry one way, GB/s: 25 a link of NVLink, else about what shared
  /// memory does.
  double linkGBps() {
    return amd() ? 336 : p2p() ? 25.0 * Integer.parseInt(link.substring(2)) : 12;
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
