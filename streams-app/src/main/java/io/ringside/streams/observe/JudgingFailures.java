package io.ringside.streams.observe;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.ringside.streams.judge.FailureListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts failures during judging. It logs the first of its kind and then each time the count has
/// doubled, because a job is judged every few seconds. Thread-safe.
public final class JudgingFailures implements FailureListener, MultiCollector {
  private static final Logger LOGGER = LoggerFactory.getLogger(JudgingFailures.class);

  private final Map<String, Long> byDetector = new ConcurrentHashMap<>();

  @Override
  public void failed(String what, String job, RuntimeException cause) {
    long times = byDetector.merge(what, 1L, Long::sum);
    if (Long.bitCount(times) == 1) {
      LOGGER
          .atError()
          .setCause(cause)
          .addKeyValue("detector", what)
          .addKeyValue("job", job)
          .addKeyValue("times", times)
          .log("a detector failed, the others go on");
    }
  }

  @Override
  public MetricSnapshots collect() {
    var samples = new Samples();
    byDetector.forEach((what, times) -> samples.put(Metric.JUDGING_FAILURES, times, what));
    return samples.snapshots();
  }
}
