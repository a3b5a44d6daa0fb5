package io.ringside.standalone.analyze;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// A small thread pool that ends with its owner. Thread-safe.
final class Workers implements AutoCloseable {
  private final int threads;
  private final ExecutorService pool;

  Workers(int threads) {
    this.threads = threads;
    this.pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().name("analyze-", 0).daemon().factory());
  }

  int threads() {
    return threads;
  }

  <T> Future<T> begin(Callable<T> work) {
    return pool.submit(work);
  }

  /// The result of the work.
  ///
  /// @throws InterruptedException if the user stops the analysis
  static <T> T result(Future<T> begun) throws InterruptedException {
    try {
      return begun.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
  }

  /// Like {@link #result}, for use on a worker, which ends when it is interrupted.
  static <T> T awaited(Future<T> begun) {
    try {
      return result(begun);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
