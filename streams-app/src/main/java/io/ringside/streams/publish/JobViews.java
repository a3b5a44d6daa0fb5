package io.ringside.streams.publish;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import java.util.List;

/// The results as they stand now, of this instance's partitions or of all instances. Thread-safe. Each
/// call is a fresh look; two calls may see different moments.
public interface JobViews {
  /// The ledger, in no particular order.
  ///
  /// @throws ViewsUnavailable while the stores move between instances
  List<RunSummary> runs();

  /// Active and cleared findings, in no particular order.
  ///
  /// @throws ViewsUnavailable while the stores move between instances
  List<Finding> findings();

  /// Both at once.
  ///
  /// @throws ViewsUnavailable while the stores move between instances
  default Look look() {
    return new Look(runs(), findings(), List.of());
  }
}
