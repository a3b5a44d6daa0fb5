package io.ringside.streams.parse.event;

import java.util.List;

/// What Hugging Face's Trainer and accelerate print. Shapes of transformers 4.57 and 5.18.
public sealed interface TrainerEvent extends LineEvent {

  /// A progress bar, `  6%|▌         | 3/50 [00:58<15:21, 19.61s/it]`. The printed rate is
  /// smoothed: take step times from the difference of two bars.
  ///
  /// @param done steps done
  /// @param total steps in all, or -1
  /// @param elapsedSeconds whole seconds since the bar began
  /// @param description text before the bar, empty for the Trainer's own bar
  record Progress(long done, long total, long elapsedSeconds, String description)
      implements TrainerEvent {}

  /// One value of a metric dict.
  record Metric(String name, double value) {}

  /// `{'loss': 2.1234, 'grad_norm': 1.5, …}`: floats, or since 5.x strings of four digits.
  record Metrics(List<Metric> values) implements TrainerEvent {
    public Metrics {
      values = List.copyOf(values);
    }

    /// The value of a metric, or NaN.
    public double of(String name) {
      for (var metric : values) {
        if (metric.name().equals(name)) {
          return metric.value();
        }
      }
      return Double.NaN;
    }
  }

  /// `  Total train batch size (w. parallel, distributed & accumulation) = 64`.
  record Setting(String name, double value) implements TrainerEvent {}

  /// `Training completed. Do not forget to share your model…`.
  record Completed() implements TrainerEvent {}
}
