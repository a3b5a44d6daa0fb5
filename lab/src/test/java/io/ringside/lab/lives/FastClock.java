package io.ringside.lab.lives;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.utils.Time;

/// A clock that goes some times as fast as this machine's, and shows the same in all processes that
/// are told the same. Thread-safe.
///
/// @param times whole, 1 for this machine's clock
/// @param since when both showed the same, in milliseconds since 1970
record FastClock(int times, long since) implements Time, InstantSource {
  private static final String TIMES = "ringside.lives.clock.times";
  private static final String SINCE = "ringside.lives.clock.since";

  /// From now on.
  static FastClock of(int times) {
    return new FastClock(times, InstantSource.system().millis());
  }

  /// That of the process which has started this one.
  static FastClock given() {
    return new FastClock(Integer.getInteger(TIMES, 1), Long.getLong(SINCE, 0));
  }

  /// Gives it to another JVM.
  List<String> options() {
    return List.of("-D%s=%d".formatted(TIMES, times), "-D%s=%d".formatted(SINCE, since));
  }

  @Override
  public Instant instant() {
    var begin = Instant.ofEpochMilli(since);
    var passed = Duration.between(begin, InstantSource.system().instant());
    return begin.plus(passed.multipliedBy(times));
  }

  @Override
  public long milliseconds() {
    return instant().toEpochMilli();
  }

  @Override
  public long nanoseconds() {
    return times * System.nanoTime();
  }

  @Override
  public void sleep(long millis) {
    try {
      TimeUnit.NANOSECONDS.sleep(millis * 1_000_000 / times);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void waitObject(Object object, Supplier<Boolean> condition, long untilMillis)
      throws InterruptedException {
    synchronized (object) {
      while (!condition.get()) {
        long left = untilMillis - milliseconds();
        if (left <= 0) {
          throw new TimeoutException("waited in vain");
        }
        object.wait(1 + left / times);
      }
    }
  }
}
