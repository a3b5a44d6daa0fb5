package io.ringside.lab.simulate;

import io.ringside.schemas.event.AgentEvent;
import java.util.List;

/// A job as its agents sent it.
///
/// @param records in the order in which they were sent
public record GeneratedJob(JobPlan plan, List<Sent> records, Truth truth) {

  public GeneratedJob {
    records = List.copyOf(records);
  }

  /// One record.
  ///
  /// @param atNanos when its agent sent it, true time, Unix epoch
  public record Sent(long atNanos, AgentEvent event) {}
}
