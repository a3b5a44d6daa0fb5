package io.ringside.standalone.analyze;

import io.ringside.streams.fact.JobInput;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// One job and what waits to be taken into it: any worker takes it in, one at a time, in the order
/// in which it came. Once the job's last source has ended it is judged. Filled by one thread.
final class JobLane {
  private final RecordedJob job;
  private final Workers workers;
  private final Semaphore room;
  private final CompletableFuture<RecordedJob> judged = new CompletableFuture<>();
  private final Queue<List<JobInput>> waiting = new ArrayDeque<>();
  private boolean running;
  private boolean complete;

  /// @param room for what waits in all lanes together
  JobLane(RecordedJob job, Workers workers, Semaphore room) {
    this.job = job;
    this.workers = workers;
    this.room = room;
  }

  /// Takes in what one record says; waits for room.
  void put(List<JobInput> inputs) {
    room.acquireUninterruptibly();
    synchronized (this) {
      waiting.add(inputs);
      run();
    }
  }

  /// Nothing more comes: the job is judged as it is, if it was not.
  Future<RecordedJob> complete() {
    synchronized (this) {
      complete = true;
      run();
    }
    return judged;
  }

  private void run() {
    if (!running) {
      running = true;
      var _ = workers.begin(this::drain);
    }
  }

  private boolean drain() {
    while (true) {
      List<JobInput> next;
      synchronized (this) {
        next = waiting.poll();
        if (next == null && !complete) {
          running = false;
          return true;
        }
      }
      try {
        if (next == null) {
          finish();
          return true;
        }
        take(next);
      } catch (RuntimeException | Error e) {
        judged.completeExceptionally(e);
      } finally {
        if (next != null) {
          room.release();
        }
      }
    }
  }

  private void take(List<JobInput> inputs) {
    if (!judged.isDone()) {
      inputs.forEach(job::apply);
      if (job.ended()) {
        finish();
      }
    }
  }

  private void finish() {
    if (!judged.isDone()) {
      judged.complete(job.judged());
    }
  }
}
