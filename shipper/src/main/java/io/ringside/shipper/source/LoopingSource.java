package io.ringside.shipper.source;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A source whose thread goes round until it is closed: it does one thing, rests, does it again. A
/// round that fails is told of and does not end the loop.
public abstract class LoopingSource implements Source {
  private static final Logger LOGGER = LoggerFactory.getLogger(LoopingSource.class);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(3);

  /// A rest of minutes must not look like a thread that hangs.
  private static final long BEAT_MILLIS = 1_000;

  /// Nanoseconds that never jump, as {@link System#nanoTime}.
  protected final LongSupplier ticker;

  private final String name;
  private @Nullable Thread thread;
  private volatile boolean stopping;
  private volatile long beat;
  private volatile boolean waiting;

  protected LoopingSource(String name, LongSupplier ticker) {
    this.name = name;
    this.ticker = ticker;
    this.beat = ticker.getAsLong();
  }

  /// Goes round once, on the source's own thread.
  protected abstract void round() throws InterruptedException;

  /// Ends what a round waits for, where no interrupt does; from another thread.
  protected void leave() {}

  /// How long to rest after the round that has just ended, well or not.
  protected abstract Duration rest();

  /// Says from within a round that it is not stuck.
  protected final void beat() {
    beat = ticker.getAsLong();
  }

  /// Says that it waits for others, or does so no longer: such a wait is no standstill, however
  /// long.
  protected final void waits(boolean now) {
    waiting = now;
  }

  /// Whether a round should come to its end.
  protected final boolean stopping() {
    return stopping;
  }

  @Override
  public final void start() {
    thread = Thread.ofPlatform().name("source-" + name).daemon().start(this::run);
  }

  private void run() {
    try {
      while (!stopping) {
        beat();
        try {
          round();
        } catch (RuntimeException e) {
          LOGGER.atError().setCause(e).addKeyValue("source", name).log("a source failed, going on");
        }
        for (long left = rest().toMillis(); left > 0 && !stopping; left -= BEAT_MILLIS) {
          beat();
          Thread.sleep(Math.min(left, BEAT_MILLIS));
        }
      }
    } catch (InterruptedException _) {
      // closed: the thread ends
    }
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final long lastBeatNanos() {
    return waiting ? ticker.getAsLong() : beat;
  }

  @Override
  public final void close() {
    stopping = true;
    if (thread == null) {
      return;
    }
    thread.interrupt();
    leave();
    try {
      thread.join(STOP_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
