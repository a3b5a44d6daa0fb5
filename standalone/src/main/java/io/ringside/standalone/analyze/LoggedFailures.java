package io.ringside.standalone.analyze;

import io.ringside.streams.judge.FailureListener;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs the first failure of each rule. Thread-safe.
final class LoggedFailures implements FailureListener {
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

  /// Created only after a failure: setting up logging takes a twentieth of a small log's time.
  private static Logger logger() {
    return LoggerFactory.getLogger(LoggedFailures.class);
  }
}
