package io.ringside.standalone.analyze;

import io.ringside.streams.fact.JobInput;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// One job and the queue of its inputs: workers apply them one at a time, in order of arrival. The
/// job is judged once its last source has ended. Only one thread may add inputs.
final class JobLane {
  private final RecordedJob job;
  private final Workers workers;
  private final Semaphore room;
  private final CompletableFuture<RecordedJob> judged = new CompletableFuture<>();
  private final Queue<List<JobInput>> waiting = new ArrayDeque<>();
  private boolean running;
  private boolean complete;

  /// @param room permits for inputs that wait in all lanes together
  JobLane(RecordedJob job, Workers workers, Semaphore room) {
    this.job = job;
    this.workers = workers;
    this.room = room;
  }

  /// Queues the inputs from one record; waits for room.
  void put(List<JobInput> inputs) {
    room.acquireUninterruptibly();
    synchronized (this) {
      waiting.add(inputs);
      run();
    }
  }

  /// Marks the end of input. The job is judged in its current state if it was not judged before.
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
