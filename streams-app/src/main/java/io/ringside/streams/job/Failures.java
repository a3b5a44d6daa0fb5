package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Failures that the lines of one run report, and whether training went on after each: a traceback
/// followed by more steps was caught. Bounded.
public final class Failures {
  private static final int MOST = 256;

  /// Limit for everything but ends of processes, which must still find room: a job of thousands of
  /// ranks prints many tracebacks as it dies.
  private static final int MOST_TRACEBACKS = 160;

  /// Most lines of a node's kernel that are alike.
  private static final int MOST_ALIKE = 8;

  /// Most lines of a node's kernel.
  private static final int MOST_OF_KERNEL = 64;

  /// Signs of progress after a failure are counted up to this number.
  private static final int ENOUGH_PROGRESS = 100;

  private final List<Sign> signs = new ArrayList<>();

  /// The newest boot in each file that reports one.
  private final Map<String, Boot> boots = new HashMap<>();

  private boolean finished;

  /// Offset at which each file last states that training is done.
  private final Map<String, Long> done = new HashMap<>();

  Failures() {}

  private record Boot(long offset, long atNanos) {}

  /// One line about a failure.
  public static final class Sign {
    private FailureEvent event = new FailureEvent.Chained(-1);
    private String source = "";
    private long atNanos = NO_TIME;
    private Evidence line = new Evidence(null, "", "", "", -1, "");
    private int progressAfter;

    Sign() {}

    private Sign(FailureEvent event, String source, long atNanos, Evidence line) {
      this.event = event;
      this.source = source;
      this.atNanos = atNanos;
      this.line = line;
    }

    public FailureEvent event() {
      return event;
    }

    /// The same sign with its time by another clock.
    public Sign at(long nanos) {
      var sign = new Sign(event, source, nanos, line);
      sign.progressAfter = progressAfter;
      return sign;
    }

    /// Id of the log file that reports it.
    public String source() {
      return source;
    }

    /// Time of the line, NO_TIME if it carries none.
    public long atNanos() {
      return atNanos;
    }

    public Evidence line() {
      return line;
    }

    /// How many steps, calls and communicators the same file shows after it.
    public int progressAfter() {
      return progressAfter;
    }
  }

  void note(FailureEvent event, String source, long atNanos, Evidence line) {
    if (event instanceof FailureEvent.Booted) {
      boots.merge(source, new Boot(line.offset(), atNanos), (_, newest) -> newest);
      return;
    }
    boolean end = event instanceof FailureEvent.Exited || event instanceof FailureEvent.Cancelled;
    if (signs.size() < (end ? MOST : MOST_TRACEBACKS)) {
      signs.add(new Sign(event, source, atNanos, line));
    }
  }

  /// Whether the machine was booted after a line of its kernel, and a run went on after that boot.
  ///
  /// @param lastNanos time of the run's last line, NO_TIME if unknown
  public boolean bootedSince(Sign sign, long lastNanos) {
    var boot = boots.get(sign.source);
    return boot != null
        && boot.offset() > sign.line.offset()
        && (lastNanos == NO_TIME || boot.atNanos() == NO_TIME || boot.atNanos() <= lastNanos);
  }

  /// The same for a line of the kernel, which may come twice: it is recognised by its text, which
  /// holds the kernel's timestamp. A broken GPU repeats the same message for hours. A few of each
  /// are enough and leave room for the program's own lines.
  void noteOfKernel(FailureEvent event, String source, long atNanos, Evidence line) {
    int alike = 0;
    int all = 0;
    for (var sign : signs) {
      if (sign.source.equals(source)) {
        if (sign.line.text().equals(line.text())) {
          return;
        }
        all += alike(sign.event, sign.event) ? 1 : 0; // lines of programs are never alike
        alike += alike(sign.event, event) ? 1 : 0;
      }
    }
    if (alike < MOST_ALIKE && all < MOST_OF_KERNEL) {
      note(event, source, atNanos, line);
    }
  }

  private static boolean alike(FailureEvent one, FailureEvent other) {
    return switch (one) {
      case FailureEvent.Xid(int code, String busId, String _) ->
          other instanceof FailureEvent.Xid xid && xid.code() == code && xid.busId().equals(busId);
      case FailureEvent.SwitchXid(int code, String busId, boolean _, String _) ->
          other instanceof FailureEvent.SwitchXid xid
              && xid.code() == code
              && xid.busId().equals(busId);
      case FailureEvent.DriverNotice said ->
          other instanceof FailureEvent.DriverNotice again
              && again.ofVerbs() == said.ofVerbs()
              && again.ofStore() == said.ofStore();
      case FailureEvent.LinkDown down -> down.equals(other);
      case FailureEvent.Booted _ -> other instanceof FailureEvent.Booted;
      case FailureEvent.Said said ->
          said.ofAGpu()
              && other instanceof FailureEvent.Said again
              && again.ofAGpu()
              && again.rank() == said.rank();
      case FailureEvent.Raised _,
          FailureEvent.TracebackBegun _,
          FailureEvent.Frame _,
          FailureEvent.Chained _,
          FailureEvent.Exited _,
          FailureEvent.Cancelled _,
          FailureEvent.Reported _,
          FailureEvent.Described _,
          FailureEvent.GpuListed _,
          FailureEvent.GpuFlag _,
          FailureEvent.Tabled _,
          FailureEvent.WentOn _ ->
          false;
    };
  }

  /// Records that training goes on in this file.
  ///
  /// @param offset of the line that shows it
  /// @param rank global rank that goes on, -1 if unknown; other ranks' progress proves nothing
  ///   about a rank that failed, since programs issue calls ahead of their GPUs
  void progress(String source, long offset, int rank) {
    var doneAt = done.get(source);
    if (doneAt != null && doneAt < offset) {
      done.remove(source);
    }
    for (var sign : signs) {
      if (sign.progressAfter < ENOUGH_PROGRESS
          && (rank < 0 || sign.event.rank() < 0 || sign.event.rank() == rank)
          && sign.line.offset() < offset
          && sign.source.equals(source)) {
        sign.progressAfter++;
      }
    }
  }

  /// Records that training completed after all: an earlier step of a launcher had failed, or a
  /// helper's.
  ///
  /// @param offset of the line that shows it
  void outlive(String source, long offset) {
    for (var sign : signs) {
      if (sign.line.offset() < offset && sign.source.equals(source)) {
        sign.progressAfter = ENOUGH_PROGRESS;
      }
    }
  }

  /// Records that training is done: a failure after which it went on did not end it.
  ///
  /// @param offset of the line that states it
  void finish(String source, long offset) {
    finished = true;
    done.put(source, offset);
    for (var sign : signs) {
      if (sign.progressAfter > 0 && sign.line.offset() < offset && sign.source.equals(source)) {
        sign.progressAfter = ENOUGH_PROGRESS;
      }
    }
  }

  /// Whether a training loop states that it is done.
  public boolean finished() {
    return finished;
  }

  /// Whether the same file stated before this line that training is done, and no step came since.
  public boolean finishedBefore(Sign sign) {
    var offset = done.get(sign.source);
    return offset != null && offset < sign.line.offset() && sign.progressAfter == 0;
  }

  /// Records that the program that writes this file goes on: it caught what it has raised so far,
  /// and does without the parts that failed. Signs that name a rank stay, since other ranks may be
  /// the ones that go on.
  ///
  /// @param offset up to which failures were survived
  void survive(String source, long offset) {
    for (var sign : signs) {
      if (maySurvive(sign.event)
          && sign.event.rank() < 0
          && sign.line.offset() <= offset
          && sign.source.equals(source)) {
        sign.progressAfter = ENOUGH_PROGRESS;
      }
    }
  }

  private static boolean maySurvive(FailureEvent event) {
    return event instanceof FailureEvent.Raised raised
        ? raised.type().indexOf(' ') < 0 // last message of a C++ process
        : event instanceof FailureEvent.Said said && (said.ofAPart() || said.ofAScript());
  }

  void absorb(Failures other) {
    boots.putAll(other.boots);
    finished |= other.finished;
    done.putAll(other.done);
    for (var sign : other.signs) {
      if (signs.size() < MOST) {
        signs.add(sign);
      }
    }
  }

  /// Whether the job itself reports anything. Kubernetes' reports may be about others, and lines
  /// about the setup of a GPU or a network card do not report an end.
  public boolean told() {
    return signs.stream().anyMatch(sign -> ofTheJob(sign.event));
  }

  /// Whether `nvidia-smi -q` reports a flag of a GPU.
  boolean toldOfGpus() {
    return signs.stream().anyMatch(sign -> sign.event instanceof FailureEvent.GpuFlag);
  }

  private static boolean ofTheJob(FailureEvent event) {
    return !(event instanceof FailureEvent.Reported)
        && !(event instanceof FailureEvent.GpuFlag)
        && !(event instanceof FailureEvent.DriverNotice said && said.ofAStart());
  }

  /// Whether a launcher, a scheduler or a process reported that something ended, or there was a
  /// traceback, with no progress after it.
  boolean ended() {
    return signs.stream()
        .anyMatch(
            sign ->
                sign.progressAfter() == 0
                    && (sign.event() instanceof FailureEvent.Exited
                        || sign.event() instanceof FailureEvent.Raised
                        || sign.event() instanceof FailureEvent.Cancelled
                        || sign.event() instanceof FailureEvent.Reported));
  }

  /// The signs in the order in which they came; lines of one file are in its order.
  public List<Sign> signs() {
    return List.copyOf(signs);
  }
}
