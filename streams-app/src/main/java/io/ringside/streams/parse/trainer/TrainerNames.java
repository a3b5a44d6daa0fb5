package io.ringside.streams.parse.trainer;

import io.ringside.streams.parse.event.TrainerEvent;
import java.util.Set;

/// Names that Hugging Face's Trainer gives to the numbers about steps (transformers, `trainer.py`).
/// It prints a dozen settings at each start and a dozen metrics at each logging step; the others
/// are not used.
public final class TrainerNames {
  public static final String OPTIMIZATION_STEPS = "Total optimization steps";
  public static final String EPOCHS = "Num Epochs";
  public static final String PARAMETERS = "Number of trainable parameters";

  /// Megatron's name, also used by loops that print the size in each line.
  public static final String GLOBAL_BATCH = "global batch size";

  /// Other words follow it, depending on the version.
  public static final String TRAIN_BATCH = "Total train batch size";

  public static final String LOSS = "loss";
  public static final String EPOCH = "epoch";
  public static final String SAMPLES_PER_SECOND = "train_samples_per_second";

  /// Mean length of the answers that TRL's GRPO and RLOO trainers generate for a step.
  public static final String COMPLETION_LENGTH = "completions/mean_length";

  /// The same in older versions of TRL.
  public static final String COMPLETION_LENGTH_BEFORE = "completion_length";

  /// Printed once, when `train()` returns (transformers' trainer.py, `speed_metrics("train", …)`).
  public static final String RUNTIME = "train_runtime";

  private static final Set<String> METRICS =
      Set.of(LOSS, EPOCH, SAMPLES_PER_SECOND, RUNTIME, COMPLETION_LENGTH, COMPLETION_LENGTH_BEFORE);

  private TrainerNames() {}

  public static boolean asked(TrainerEvent.Setting setting) {
    var name = setting.name();
    return name.equals(OPTIMIZATION_STEPS)
        || name.equals(EPOCHS)
        || name.equals(PARAMETERS)
        || name.equals(GLOBAL_BATCH)
        || name.startsWith(TRAIN_BATCH);
  }

  /// Whether metrics describe steps, or the end of training.
  public static boolean asked(TrainerEvent.Metrics metrics) {
    return !Double.isNaN(metrics.of(LOSS))
        || !Double.isNaN(metrics.of(SAMPLES_PER_SECOND))
        || returned(metrics);
  }

  /// Whether `train()` has returned: it raises an exception if training fails.
  public static boolean returned(TrainerEvent.Metrics metrics) {
    return !Double.isNaN(metrics.of(RUNTIME));
  }

  /// Only the metrics that are used.
  public static TrainerEvent.Metrics only(TrainerEvent.Metrics metrics) {
    return new TrainerEvent.Metrics(
        metrics.values().stream().filter(metric -> METRICS.contains(metric.name())).toList());
  }
}
