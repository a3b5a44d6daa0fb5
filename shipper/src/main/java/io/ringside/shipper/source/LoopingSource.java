package io.ringside.shipper.source;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A source whose thread repeats one round of work and a rest until it is closed. A failed round is
/// logged and does not end the loop.
public abstract class LoopingSource implements Source {
  private static final Logger LOGGER = LoggerFactory.getLogger(LoopingSource.class);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(3);

  /// Longest sleep between two beats, so that a rest of minutes does not look like a hanging
  /// thread.
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

  /// Does one round, on the source's own thread.
  protected abstract void round() throws InterruptedException;

  /// Ends a wait within a round that an interrupt does not end. Called from another thread.
  protected void leave() {}

  /// How long to rest after a round, whether it succeeded or failed.
  protected abstract Duration rest();

  /// Signals from within a round that it is not stuck.
  protected final void beat() {
    beat = ticker.getAsLong();
  }

  /// Sets whether the round waits for something outside. Such a wait never counts as stuck.
  protected final void waits(boolean now) {
    waiting = now;
  }

  /// Whether the source is closing and a round should end.
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
