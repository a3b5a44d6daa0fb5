package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.ArrayList;
import java.util.List;

/// What the lines of one run say of failures, and whether training went on after each: a traceback that is followed by
/// more steps was caught. Bounded.
public final class Failures {
  private static final int MOST = 256;

  /// Ends of processes are kept when there is no more room for tracebacks: a job of thousands dies aloud.
  private static final int MOST_TRACEBACKS = 160;

  /// So many signs of progress are told apart.
  private static final int ENOUGH_PROGRESS = 100;

  private final List<Sign> signs = new ArrayList<>();

  Failures() {}

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

    /// The log file that says so.
    public String source() {
      return source;
    }

    /// When, NO_TIME if the line carries none.
    public long atNanos() {
      return atNanos;
    }

    public Evidence line() {
      return line;
    }

    /// How many steps, calls and communicators the same file tells of after it.
    public int progressAfter() {
      return progressAfter;
    }
  }

  void note(FailureEvent event, String source, long atNanos, Evidence line) {
    boolean end = event instanceof FailureEvent.Exited || event instanceof FailureEvent.Cancelled;
    if (signs.size() < (end ? MOST : MOST_TRACEBACKS)) {
      signs.add(new Sign(event, source, atNanos, line));
    }
  }

  /// The same of a line that may come twice: it is known by its words, which hold the kernel's stamp.
  void noteOnce(FailureEvent event, String source, long atNanos, Evidence line) {
    if (signs.stream()
        .noneMatch(sign -> sign.source.equals(source) && sign.line.text().equals(line.text()))) {
      note(event, source, atNanos, line);
    }
  }

  /// Training goes on in this file.
  ///
  /// @param offset of the line that says so
  void progress(String source, long offset) {
    for (var sign : signs) {
      if (sign.progressAfter < ENOUGH_PROGRESS
          && sign.line.offset() < offset
          && sign.source.equals(source)) {
        sign.progressAfter++;
      }
    }
  }

  /// The program that writes this file goes on: it caught what it has raised so far. Where a rank is named, those that go on
  /// may be others.
  ///
  /// @param offset up to which it did
  void survive(String source, long offset) {
    for (var sign : signs) {
      if (sign.event instanceof FailureEvent.Raised raised
          && raised.rank() < 0
          && raised.type().indexOf(' ') < 0 // C++'s last words
          && sign.line.offset() <= offset
          && sign.source.equals(source)) {
        sign.progressAfter = ENOUGH_PROGRESS;
      }
    }
  }

  void absorb(Failures other) {
    for (var sign : other.signs) {
      if (signs.size() < MOST) {
        signs.add(sign);
      }
    }
  }

  /// In the order in which they came; lines of one file are in its order.
  public List<Sign> signs() {
    return List.copyOf(signs);
  }
}
