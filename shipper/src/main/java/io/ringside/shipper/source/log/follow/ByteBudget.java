package io.ringside.shipper.source.log.follow;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Limits the bytes in flight to the broker. Once the budget is spent, reading stops: the log file
/// is the buffer. One chunk may exceed it. Thread-safe.
public final class ByteBudget {
  private long limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private long used;

  /// @param limit bytes of records
  public ByteBudget(long limit) {
    limit(limit);
  }

  /// Changes the limit. Bytes already in flight are not affected.
  public final void limit(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("the budget must be positive, was " + bytes);
    }
    lock.lock();
    try {
      limit = bytes;
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void take(long bytes) {
    lock.lock();
    try {
      used += bytes;
    } finally {
      lock.unlock();
    }
  }

  void giveBack(long bytes) {
    lock.lock();
    try {
      used -= bytes;
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean spent() {
    lock.lock();
    try {
      return used >= limit;
    } finally {
      lock.unlock();
    }
  }

  /// Bytes in flight.
  public long used() {
    lock.lock();
    try {
      return used;
    } finally {
      lock.unlock();
    }
  }

  public long limit() {
    lock.lock();
    try {
      return limit;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until there is room, at most the given time.
  void awaitRoom(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (used >= limit && left > 0) {
        left = room.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "%d of %d bytes".formatted(used(), limit());
  }
}
