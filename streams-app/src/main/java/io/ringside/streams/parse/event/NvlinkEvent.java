package io.ringside.streams.parse.event;

/// What `nvidia-smi nvlink -e` prints, where somebody saved it beside a job's logs or a script wrote it into them. Drivers 525 to
/// 580.
public sealed interface NvlinkEvent extends LineEvent {
  /// `GPU 2: NVIDIA H200 (UUID: GPU-7dbe9b56-…)`: what follows is of this one.
  ///
  /// @param index as nvidia-smi and NCCL's `nvmlDev` count them
  record Gpu(int index, String uuid) implements NvlinkEvent {}

  /// `Link 5: Recovery Errors: 212`, counted since the driver was loaded.
  ///
  /// @param recovery whether the link had to be trained anew; else a packet was sent again or damaged
  record Errors(boolean recovery, long count) implements NvlinkEvent {}
}
