package io.ringside.streams.parse.failure;

import static io.ringside.streams.parse.failure.Statements.said;
import static io.ringside.streams.parse.failure.Statements.saying;
import static io.ringside.streams.parse.failure.Statements.shortened;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import io.ringside.streams.parse.torch.WatchdogLines;
import java.util.List;

/// Python tracebacks, the last lines of C++ programs, and failures that PyTorch's data loaders and
/// Hydra report.
public final class PythonLines {

  private static final int LONGEST_PATH = 300;

  private PythonLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("Traceback (most recent call last):*", "Python", line -> begun(line, false)),
          Shape.of("Exception ignored in*", "Python", line -> begun(line, true)),
          Shape.of("Exception ignored while *", "Python 3.14+", PythonLines::ignored),
          Shape.of("Exception ignored on *", "Python", PythonLines::ignored),
          Shape.of("Exception ignored when *", "Python", PythonLines::ignored),
          Shape.of(
              "Exception in thread *:",
              "Python",
              line -> line.emit(new FailureEvent.TracebackBegun(line.rank(), false, true))),
          Shape.of("Error in atexit._run_exitfuncs:*", "Python", line -> begun(line, true)),
          Shape.of("--- Logging error ---", "Python", line -> begun(line, true)),
          Shape.of("File \"*\", line #*", "Python", PythonLines::frame),
          Shape.of(
              "During handling of the above exception, another exception occurred:",
              "Python",
              PythonLines::chained),
          Shape.of(
              "The above exception was the direct cause of the following exception:",
              "Python",
              PythonLines::chained),
          Shape.of(
              "Traceback of TorchScript*(most recent call last):*",
              "PyTorch, behind what says only that an operation failed",
              PythonLines::chained),
          Shape.of(
              "Original Traceback (most recent call last):*",
              "PyTorch, behind what only says where something was raised",
              PythonLines::chained),
          Shape.of("what(): *", "C++", PythonLines::what),
          saying(FailureClass.SEGFAULT, "Fatal Python error: Segmentation fault*", "Python"),
          saying(FailureClass.SEGFAULT, "Fatal Python error: Bus error*", "Python"),
          saying(FailureClass.UNKNOWN, "Fatal Python error: *", "Python"),
          saying(
              FailureClass.OUT_OF_MEMORY,
              "ERROR: Unexpected bus error encountered in worker.*",
              "PyTorch's DataLoader"),
          saying(
              FailureClass.SEGFAULT,
              "ERROR: Unexpected segmentation fault encountered in worker.*",
              "PyTorch's DataLoader"),
          saying(
              FailureClass.UNKNOWN,
              "Error: DataLoader worker (pid(s) *) exited unexpectedly*",
              "scripts that catch what PyTorch's DataLoader says"),
          Shape.of(
              "torchelastic: a process raised *",
              "Ringside, of torchrun's error.json",
              PythonLines::recorded),
          Shape.of("[Errno 28] No space left on device*", "loggers", PythonLines::logged),
          Shape.of("[Errno 122] Disk quota exceeded*", "loggers", PythonLines::logged),
          saying(FailureClass.UNKNOWN, "Error executing job with overrides: *", "Hydra"),
          saying(
              FailureClass.GPU_OUT_OF_MEMORY,
              "CUDA out of memory. Tried to allocate *",
              "torch, torn out of its traceback"));

  static boolean begun(TextLine line, boolean ignored) {
    return line.emit(new FailureEvent.TracebackBegun(line.rank(), ignored, false));
  }

  /// `Exception ignored while calling deallocator <function Store.__del__ at 0x7f25>:` (CPython's
  /// `PyErr_FormatUnraisable`). Programs print such words too, but without a colon and a traceback.
  private static boolean ignored(TextLine line) {
    return line.rest().stripTrailing().endsWith(":") && begun(line, true);
  }

  private static boolean chained(TextLine line) {
    return line.emit(new FailureEvent.Chained(line.rank()));
  }

  private static boolean frame(TextLine line) {
    var file = line.expect("File \"").until('"');
    var number = line.expect("\", line ").integer();
    var function = line.good() && line.skip(", in ") ? line.rest().strip() : "";
    return line.good() && line.emit(new FailureEvent.Frame(line.rank(), file, number, function));
  }

  /// What Python's interpreter prints, after its own name, about a program or a launcher that does
  /// not exist (CPython's Modules/main.c, Lib/runpy.py).
  private static final List<String> ABSENT =
      List.of(
          "can't open file '",
          "can't find '__main__' module in",
          "No module named torch",
          "No module named 'torch",
          "No module named deepspeed",
          "No module named accelerate",
          "No module named paddle");

  /// `/opt/venv/bin/python3: can't open file '/work/train.py': [Errno 2] No such file or
  /// directory`.
  public static boolean interpreter(TextLine line) {
    var text = line.text();
    int end = Chars.find(text, line.at(), Math.min(line.end(), line.at() + LONGEST_PATH), ": ");
    int name = end;
    while (name > line.at() && text.charAt(name - 1) != '/' && text.charAt(name - 1) != ' ') {
      name--;
    }
    if (end < 0 || !Chars.at(text, name, end, "python")) {
      return false;
    }
    for (var words : ABSENT) {
      if (Chars.at(text, end + 2, line.end(), words)) {
        line.back(end + 2);
        return said(line, FailureClass.CONFIGURATION);
      }
    }
    return false;
  }

  /// `torchelastic: a process raised torch.OutOfMemoryError: CUDA out of memory. …`. The file may
  /// be from an earlier attempt: it gives a reason, but does not prove that the job ended.
  private static boolean recorded(TextLine line) {
    line.expect("torchelastic: a process raised ");
    int name = line.at();
    int colon = Chars.find(line.text(), name, line.end(), ": ");
    int end = colon < 0 ? line.end() : colon;
    return line.good()
        && end > name
        && line.emit(
            new FailureEvent.Raised(
                line.rank(),
                line.text().substring(name, end),
                ExceptionLine.message(line.text(), Math.min(line.end(), end + 2), line.end()),
                null,
                FailureEvent.Chain.LOGGED));
  }

  /// The message of a file exception, logged by the program that caught it.
  private static boolean logged(TextLine line) {
    return line.emit(
        new FailureEvent.Raised(
            line.rank(),
            "OSError",
            ExceptionLine.message(line.text(), line.at(), line.end()),
            null,
            FailureEvent.Chain.LOGGED));
  }

  /// `  what():  CUDA error: uncorrectable ECC error encountered`, after `terminate called …`.
  private static boolean what(TextLine line) {
    line.expect("what():");
    var from = line.at();
    var words = shortened(line.rest().strip());
    if (words.isEmpty()) {
      return false;
    }
    line.emit(
        new FailureEvent.Raised(
            line.rank(), "terminate called", words, null, FailureEvent.Chain.TRACED));
    WatchdogLines.quoted(line, from);
    return true;
  }
}
