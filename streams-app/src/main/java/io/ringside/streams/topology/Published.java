package io.ringside.streams.topology;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.judge.suspect.Blame;
import org.jspecify.annotations.Nullable;

/// A change of what is published; null takes it back.
sealed interface Published {
  /// A finding raised, updated, cleared or taken back.
  record FindingChange(@Nullable Finding finding) implements Published {}

  /// A node is blamed, or not any more.
  record BlameChange(Blame blame) implements Published {}

  /// A line of the ledger.
  record RunChange(@Nullable RunSummary run) implements Published {}
}
