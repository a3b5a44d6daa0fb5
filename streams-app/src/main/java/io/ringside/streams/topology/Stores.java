package io.ringside.streams.topology;

/// The names of the state stores.
public final class Stores {
  /// `job|run` to RunSummary.
  public static final String RUNS = "runs";

  /// `job|id` to Finding.
  public static final String FINDINGS = "findings";

  private Stores() {}
}
