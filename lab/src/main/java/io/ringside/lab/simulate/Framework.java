package io.ringside.lab.simulate;

/// Which program trains, and so who prints what about its steps.
public enum Framework {
  /// A loop of one's own, whose lines nobody reads.
  NONE,
  /// Hugging Face's Trainer: a progress bar and metrics, on rank 0.
  TRAINER,
  /// DeepSpeed's throughput timer, on rank 0.
  DEEPSPEED,
  /// Megatron-LM's iteration lines, on the last rank.
  MEGATRON,
  /// nccl-tests: no training at all, one process for all GPUs of a pod.
  NCCL_TESTS
}
