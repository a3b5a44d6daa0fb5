package io.ringside.lab.evaluate;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/// What a function makes of the elements of a list: worked out by several threads, handed over in
/// the order of the list. No more results than threads wait to be taken. For one taker; closing
/// gives up the rest.
final class OrderedResults<T, R> implements Iterator<R>, AutoCloseable {
  private final Iterator<T> rest;
  private final Function<T, R> work;
  private final ExecutorService workers;
  private final Queue<Future<R>> begun = new ArrayDeque<>();

  /// @param work thread-safe
  /// @param threads 1 at least
  OrderedResults(List<T> elements, Function<T, R> work, int threads) {
    this.rest = elements.iterator();
    this.work = work;
    workers = Executors.newFixedThreadPool(threads);
    for (int i = 0; i < 2 * threads; i++) {
      begin();
    }
  }

  private void begin() {
    if (rest.hasNext()) {
      var element = rest.next();
      begun.add(workers.submit(() -> work.apply(element)));
    }
  }

  @Override
  public boolean hasNext() {
    return !begun.isEmpty();
  }

  /// @throws CancellationException if the thread is interrupted
  @Override
  public R next() {
    var oldest = begun.poll();
    if (oldest == null) {
      throw new NoSuchElementException();
    }
    try {
      var result = oldest.get();
      begin();
      return result;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      var cancelled = new CancellationException("interrupted");
      cancelled.initCause(e);
      throw cancelled;
    }
  }

  @Override
  public void close() {
    workers.shutdownNow();
  }
}
