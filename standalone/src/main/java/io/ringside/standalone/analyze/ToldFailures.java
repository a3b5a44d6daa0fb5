package io.ringside.standalone.analyze;

import io.ringside.streams.judge.Failures;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs the first failure of each part of judging. Thread-safe.
final class ToldFailures implements Failures {
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  @Override
  public void failed(String what, String job, RuntimeException cause) {
    if (told.add(what)) {
      logger()
          .atError()
          .setCause(cause)
          .addKeyValue("what", what)
          .addKeyValue("job", job)
          .log("not judged: an error within Ringside");
    }
  }

  /// Made where something failed: to set up logging takes a twentieth of the time that a small log
  /// takes.
  private static Logger logger() {
    return LoggerFactory.getLogger(ToldFailures.class);
  }
}
