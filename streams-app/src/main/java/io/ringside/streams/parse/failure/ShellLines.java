package io.ringside.streams.parse.failure;

import static io.ringside.streams.parse.failure.Statements.said;
import static io.ringside.streams.parse.failure.Statements.saying;
import static io.ringside.streams.parse.failure.Statements.shortened;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/// What shells and the tools of scripts report about a child process that ended or a full disk.
public final class ShellLines {

  /// How many chars of a command are examined.
  private static final int LONGEST = 512;

  private ShellLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          saying(FailureClass.SEGFAULT, "Segmentation fault*", "shells"),
          Shape.of("Killed", "shells", line -> alone(line, "Killed", FailureClass.KILLED)),
          Shape.of("Bus error", "shells", line -> alone(line, "Bus error", FailureClass.SEGFAULT)),
          saying(FailureClass.SEGFAULT, "Bus error (core dumped)*", "shells"),
          saying(FailureClass.UNKNOWN, "Floating point exception (core dumped)*", "shells"),
          saying(FailureClass.UNKNOWN, "Illegal instruction (core dumped)*", "shells"),
          saying(FailureClass.UNKNOWN, "Trace/breakpoint trap (core dumped)*", "shells"),
          Shape.of("line #: # *", "bash", ShellLines::childOfShell),
          Shape.of("line #:  *", "bash, which pads short numbers", ShellLines::childOfShell),
          Shape.of("Zeile #: # *", "bash in German", ShellLines::childOfShell),
          Shape.of("ligne #: # *", "bash in French", ShellLines::childOfShell),
          Shape.of("riga #: # *", "bash in Italian", ShellLines::childOfShell),
          Shape.of("linha #: # *", "bash in Portuguese", ShellLines::childOfShell),
          Shape.of("linia #: # *", "bash in Polish", ShellLines::childOfShell),
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

  /// A shell's line for a child process that a signal ended: the word alone.
  private static boolean alone(TextLine line, String word, FailureClass failureClass) {
    return line.end() - line.at() == word.length() && said(line, failureClass);
  }

  /// What bash reports about the program that a script waits for:
  /// `line 44: 367038 Hangup                  torchrun …`.
  private static boolean childOfShell(TextLine line) {
    line.until(' ');
    line.expect(" ").integer();
    line.expect(": ").blanks().integer();
    var rest = line.good() ? line.blanks().rest() : "";
    var words = rest.substring(0, Math.min(LONGEST, rest.length())).replaceAll("\\s+", " ");
    if (LAUNCHERS.stream().noneMatch(words::contains) && !JOB_SCRIPT.matcher(words).find()) {
      return false;
    }
    for (var end : ENDS) {
      if (end.words().stream().anyMatch(words::startsWith)) {
        return line.emit(
            end.failureClass() == FailureClass.STOPPED
                ? new FailureEvent.Cancelled(FailureClass.STOPPED, shortened(words))
                : new FailureEvent.Said(line.rank(), end.failureClass(), shortened(words)));
      }
    }
    return false;
  }

  /// Reads messages of shells in languages that are not written in ASCII.
  public static boolean translated(TextLine line) {
    for (var word : LINE) {
      if (behind(word, line, line.at()) > 0) {
        return childOfShell(line);
      }
    }
    return isAlone(line, KILLED) && said(line, FailureClass.KILLED)
        || isAlone(line, CRASHED) && said(line, FailureClass.SEGFAULT);
  }

  /// Whether the line holds only the word, with or without the note that a core was dumped.
  private static boolean isAlone(TextLine line, byte[] word) {
    int after = behind(word, line, line.at());
    return after == line.end() || after > 0 && behind(DUMPED, line, after) == line.end();
  }

  /// Index after a word, or -1 if the word is not at `at`.
  private static int behind(byte[] word, TextLine line, int at) {
    if (line.end() - at < word.length) {
      return -1;
    }
    for (int i = 0; i < word.length; i++) {
      if ((byte) line.text().charAt(at + i) != word[i]) {
        return -1;
      }
    }
    return at + word.length;
  }

  private static byte[] utf8(String word) {
    return word.getBytes(StandardCharsets.UTF_8);
  }

  private static final byte[] KILLED = utf8("已杀死");
  private static final byte[] CRASHED = utf8("段错误");
  private static final byte[] DUMPED = utf8("（核心已转储）");

  private record End(FailureClass failureClass, List<String> words) {}

  /// How a child process ended, in the words of glibc's strsignal and its translations: Chinese,
  /// German, French, Japanese, Korean, Russian, Italian, Portuguese, Polish.
  private static final List<End> ENDS =
      List.of(
          new End(
              FailureClass.KILLED,
              List.of(
                  "Killed",
                  "已杀死",
                  "強制結束",
                  "Getötet",
                  "Processus arrêté",
                  "強制終了",
                  "죽었음",
                  "Убито",
                  "Ucciso",
                  "Morto",
                  "Unicestwiony")),
          new End(
              FailureClass.SEGFAULT,
              List.of(
                  "Segmentation fault",
                  "Bus error",
                  "段错误",
                  "程式記憶體區段錯誤",
                  "Speicherzugriffsfehler",
                  "Erreur de segmentation",
                  "세그멘테이션 오류",
                  "Ошибка сегментирования",
                  "Errore di segmentazione",
                  "Falha de segmentação",
                  "Naruszenie ochrony pamięci")),
          new End(
              FailureClass.UNKNOWN,
              List.of(
                  "Floating point exception",
                  "Illegal instruction",
                  "Trace/breakpoint trap",
                  "Aborted",
                  "已放弃",
                  "中止",
                  "Abgebrochen",
                  "Abandon",
                  "중지됨",
                  "Аварийный останов")),
          new End(
              FailureClass.STOPPED,
              List.of(
                  "Hangup",
                  "Terminated",
                  "已终止",
                  "挂起",
                  "終止",
                  "Beendet",
                  "Complété",
                  "종료됨",
                  "Завершено")));

  /// `line ` in bash's translations.
  private static final List<byte[]> LINE =
      List.of(utf8("行 "), utf8("列 "), utf8("줄 "), utf8("строка "));

  /// A script whose name shows that it is the job: `sh start.sh`, `bash scripts/train_7b.sh`; a
  /// Python script: `"$PYTHON_BIN" "$ROOT/train.py"`; or a variable that holds the whole command:
  /// `"${FINAL_CMD[@]}"`.
  private static final Pattern JOB_SCRIPT =
      Pattern.compile(
          " (?:ba)?sh (?:\\S*/)?\\w*(?:train|run|start|launch|tune)[\\w.-]*\\.sh\\b|\\.py\\b"
              + "|^\\S+(?: fault)?(?: \\(core dumped\\))? \"?\\$\\{?(?:FINAL_|TRAIN_|RUN_|LAUNCH_)?(?:CMD|COMMAND|LAUNCHER)\\b");

  /// Programs that start a training job. Other child processes of a script may come and go.
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
