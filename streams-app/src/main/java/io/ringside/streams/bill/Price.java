package io.ringside.streams.bill;

import io.ringside.streams.examine.Examination;
import java.util.Optional;

/// What an hour of one of the run's GPUs costs, by `costPerGpuHour` of its machines.
public final class Price {
  private Price() {}

  /// The mean over the run's processes; empty unless all of their machines have a price.
  public static Optional<Double> of(Examination examination) {
    double sum = 0;
    int count = 0;
    for (var process : examination.run().processes()) {
      var price = examination.expectations().costPerGpuHour(examination.instanceTypeName(process));
      if (price.isEmpty()) {
        return Optional.empty();
      }
      sum += price.get();
      count++;
    }
    return count == 0 ? Optional.empty() : Optional.of(sum / count);
  }
}
