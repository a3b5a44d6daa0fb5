package io.ringside.streams.parse.event;

/// What `nvidia-smi nvlink -e` and `-s` and `dcgmi nvlink -s` print, where somebody saved it beside
/// a job's logs or a script wrote it into them. Drivers 525 to 590.
public sealed interface NvlinkEvent extends LineEvent {
  /// `GPU 2: NVIDIA H200 (UUID: GPU-7dbe9b56-…)`: the lines after it are about this GPU.
  ///
  /// @param index in the numbering of nvidia-smi and of NCCL's `nvmlDev`
  /// @param uuid empty where the lines after it are about a switch
  /// @param model `NVIDIA H200`; empty for DCGM, which prints no model
  record Gpu(int index, String uuid, String model) implements NvlinkEvent {
    @SuppressWarnings("ConstantValue") // an earlier version stored no model
    public Gpu {
      model = model == null ? "" : model;
    }
  }

  /// `Link 3: <inactive>`, `Link 4: 25.781 GB/s`.
  record Link(boolean active) implements NvlinkEvent {}

  /// `NVML: Unable to retrieve NVLink information as all links are inActive`, for the GPU before
  /// it.
  record NoLinks() implements NvlinkEvent {}

  /// `Link 5: Recovery Errors: 212`, counted since the driver was loaded.
  ///
  /// @param recovery whether the link had to be retrained; else a packet was resent or damaged
  record Errors(boolean recovery, long count) implements NvlinkEvent {}
}
