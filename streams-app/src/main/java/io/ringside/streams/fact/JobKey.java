package io.ringside.streams.fact;

import io.ringside.schemas.event.LogSource;

/// The key by which all facts about a job meet: names of jobs repeat over namespaces and clusters.
public final class JobKey {
  private JobKey() {}

  /// The key of the source's job.
  public static String of(LogSource source) {
    return source.cluster() + "|" + source.namespace() + "|" + source.job();
  }
}
