package io.ringside.streams.parse.failure;

import static io.ringside.streams.parse.failure.Statements.said;
import static io.ringside.streams.parse.failure.Statements.saying;
import static io.ringside.streams.parse.failure.Statements.shortened;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.regex.Pattern;

/// What shells and the programs of scripts say of a child that ended or of a disk that is full.
public final class ShellLines {

  private ShellLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          saying(FailureClass.SEGFAULT, "Segmentation fault*", "shells"),
          Shape.of("Killed", "shells", ShellLines::killed),
          Shape.of("line #: # *", "bash", ShellLines::childOfShell),
          diskFull("tee", "coreutils"),
          diskFull("mkdir", "coreutils"),
          diskFull("cp", "coreutils"),
          diskFull("mv", "coreutils"),
          diskFull("touch", "coreutils"),
          diskFull("tar", "tar"),
          diskFull("rsync", "rsync"));

  private static Shape<TextLine> diskFull(String program, String of) {
    return saying(FailureClass.DISK_FULL, program + ": *: No space left on device*", of);
  }

  /// What a shell prints of a child that was killed: the word alone.
  private static boolean killed(TextLine line) {
    return line.end() - line.at() == "Killed".length() && said(line, FailureClass.KILLED);
  }

  /// What bash says of the program that a script waits for: `line 44: 367038 Hangup                  torchrun …`.
  private static boolean childOfShell(TextLine line) {
    line.expect("line ").integer();
    line.expect(": ").integer();
    var words = line.good() ? line.blanks().rest().replaceAll("\\s+", " ") : "";
    if (LAUNCHERS.stream().noneMatch(words::contains) && !JOB_SCRIPT.matcher(words).find()) {
      return false;
    }
    if (words.startsWith("Killed")) {
      return line.emit(new FailureEvent.Said(line.rank(), FailureClass.KILLED, shortened(words)));
    }
    if (words.startsWith("Segmentation fault") || words.startsWith("Bus error")) {
      return line.emit(new FailureEvent.Said(line.rank(), FailureClass.SEGFAULT, shortened(words)));
    }
    if (words.startsWith("Aborted")) {
      return line.emit(new FailureEvent.Said(line.rank(), FailureClass.UNKNOWN, shortened(words)));
    }
    return (words.startsWith("Hangup") || words.startsWith("Terminated"))
        && line.emit(new FailureEvent.Cancelled(FailureClass.STOPPED, shortened(words)));
  }

  /// A script that is the job by its name: `sh start.sh`, `bash scripts/train_7b.sh`.
  private static final Pattern JOB_SCRIPT =
      Pattern.compile(" (?:ba)?sh (?:\\S*/)?\\w*(?:train|run|start|launch|tune)[\\w.-]*\\.sh\\b");

  /// What starts a training job; other children of a script may come and go.
  private static final List<String> LAUNCHERS =
      List.of(
          "python",
          "torchrun",
          "uvicorn",
          "deepspeed",
          "accelerate",
          "mpirun",
          "mpiexec",
          "srun",
          "horovodrun");
}
