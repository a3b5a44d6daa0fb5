package io.ringside.streams.parse.event;

/// What `nvidia-smi nvlink -e` and `-s` and `dcgmi nvlink -s` print, where somebody saved it beside
/// a job's logs or a script wrote it into them. Drivers 525 to 590.
public sealed interface NvlinkEvent extends LineEvent {
  /// `GPU 2: NVIDIA H200 (UUID: GPU-7dbe9b56-…)`: what follows is of this one.
  ///
  /// @param index as nvidia-smi and NCCL's `nvmlDev` count them
  /// @param uuid empty where what follows is of a switch
  /// @param model `NVIDIA H200`; empty where DCGM tells, which names none
  record Gpu(int index, String uuid, String model) implements NvlinkEvent {
    @SuppressWarnings("ConstantValue") // a version before this one told no model
    public Gpu {
      model = model == null ? "" : model;
    }
  }

  /// `Link 3: <inactive>`, `Link 4: 25.781 GB/s`.
  record Link(boolean active) implements NvlinkEvent {}

  /// `NVML: Unable to retrieve NVLink information as all links are inActive`, of the GPU before it.
  record NoLinks() implements NvlinkEvent {}

  /// `Link 5: Recovery Errors: 212`, counted since the driver was loaded.
  ///
  /// @param recovery whether the link had to be trained anew; else a packet was sent again or
  ///   damaged
  record Errors(boolean recovery, long count) implements NvlinkEvent {}
}
