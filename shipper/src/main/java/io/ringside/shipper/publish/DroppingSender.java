package io.ringside.shipper.publish;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/// Sends records that lose their value with age. While the broker is away only a limited number
/// wait; newer ones are dropped and counted. Thread-safe.
///
/// @param <T> the record's type
public final class DroppingSender<T> {
  private final Function<T, CompletableFuture<Void>> send;
  private final int most;
  private final LongAdder dropped;
  private final AtomicInteger underway = new AtomicInteger();

  /// @param most limit of records that wait for the broker's answer at once
  public DroppingSender(Function<T, CompletableFuture<Void>> send, int most, LongAdder dropped) {
    this.send = send;
    this.most = most;
    this.dropped = dropped;
  }

  public void send(T value) {
    if (underway.incrementAndGet() > most) {
      underway.decrementAndGet();
      dropped.increment();
      return;
    }
    var _ = send.apply(value).whenComplete((_, _) -> underway.decrementAndGet());
  }
}
