package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;
import org.jspecify.annotations.Nullable;

/// Wrappers of launchers. Each method returns the index after the wrapper that begins at the given
/// index, or the given index if there is none.
///
/// ```text
///   [rank4]:                       PyTorch 2.2 and later
///   [default0]:                    torchrun --tee ("[role" + local rank + "]:")
///   [1,26]<stdout>:                mpirun --tag-output up to Open MPI 4
///   [1,mpirank:26,algo-2]<stdout>: the same as patched by SageMaker
///   [prterun-host-7@1,26]<stdout>: Open MPI 5
///   [host:1,26]<stdout>:           Open MPI 5 with more detail, also [job,26][host:7]<stdout>:
///   3: ,  12:                      srun -l, padded
///   (Actor pid=5, ip=10.0.0.1)     Ray
///   (raylet)                       Ray, of a node
///   (Worker_TP3 pid=314)           vLLM
///   (VllmWorker rank=3 pid=314)    vLLM before 0.11, also (VllmWorker TP3 pid=314)
/// ```
final class LauncherWrappers {

  private static final int LONGEST = 300;
  private static final int MOST_DIGITS = 6;
  private static final String RAYLET = "(raylet) ";

  /// Workers of an engine that uses tensor parallelism only.
  private static final String[] VLLM = {"(Worker_TP", "(VllmWorker rank=", "(VllmWorker TP"};

  private LauncherWrappers() {}

  static int bracket(Text text, int at, int end, @Nullable FoundOrigin found) {
    if (at + 2 >= end) {
      return at;
    }
    var p = at + 1;
    while (p < end && isRole(text.charAt(p))) {
      p++;
    }
    var digits = Chars.skipDigits(text, p, end);
    if (digits >= end) {
      return at;
    }
    return switch (text.charAt(digits)) {
      case ']' -> {
        if (digits == p || !Chars.at(text, digits, end, "]:")) {
          yield Chars.at(text, at, end, "[titan] ") ? at + 8 : at;
        }
        rank(text, at, p, digits, found);
        yield afterBlank(text, digits + 2, end);
      }
      case 'm', ';' -> Escapes.afterBare(text, at, end);
      case '/' -> CollectorWrappers.resource(text, at, end);
      case ' ' -> CollectorWrappers.nemo(text, at, end, found);
      case '-' -> {
        var date = CollectorWrappers.bracketed(text, at, end, found);
        yield date > at ? date : mpirun(text, at, end, found);
      }
      case ',', ':', '.', '@' -> mpirun(text, at, end, found);
      default -> at;
    };
  }

  private static boolean isRole(char c) {
    return Chars.isLetter(c) || c == '_' || c == '-';
  }

  private static void rank(Text text, int at, int from, int to, @Nullable FoundOrigin found) {
    if (found == null) {
      return;
    }
    if (from == at + 1) {
      found.task(from, to);
    } else if (Chars.at(text, at, to, "[rank")) {
      found.rank(from, to);
    }
  }

  /// `[1,26]<stdout>:` and its longer forms: a comma, the rank, sometimes the process's name in a
  /// second bracket, the stream.
  private static int mpirun(Text text, int at, int end, @Nullable FoundOrigin found) {
    var comma = at + 1;
    while (comma < end && isJob(text.charAt(comma))) {
      comma++;
    }
    if (comma == at + 1 || comma >= end || text.charAt(comma) != ',') {
      return at;
    }
    var rank = Chars.at(text, comma + 1, end, "mpirank:") ? comma + 9 : comma + 1;
    var first = Chars.skipDigits(text, rank, end);
    var host = host(text, first, end);
    var close = host < 0 ? first : Chars.find(text, host, Math.min(end, host + LONGEST), ']');
    if (first == rank || !Chars.at(text, Math.max(first, close), end, "]<std")) {
      return at;
    }
    var stream = Chars.find(text, close, Math.min(end, close + 12), '>');
    if (stream < 0) {
      return at;
    }
    if (found != null) {
      found.task(rank, first);
    }
    var colon = stream + 1 < end && text.charAt(stream + 1) == ':' ? stream + 2 : stream + 1;
    return afterBlank(text, colon, end);
  }

  /// Where the host begins after the rank, -1 if there is no host.
  private static int host(Text text, int at, int end) {
    if (Chars.at(text, at, end, "][")) {
      return at + 2;
    }
    return at < end && text.charAt(at) == ',' ? at + 1 : -1;
  }

  private static boolean isJob(char c) {
    return Chars.isLetter(c) || Chars.isDigit(c) || "-_.@:".indexOf(c) >= 0;
  }

  /// `3: `.
  static int task(Text text, int at, int end, @Nullable FoundOrigin found) {
    var digits = Chars.skipDigits(text, at, Math.min(end, at + MOST_DIGITS + 1));
    if (digits == at || digits - at > MOST_DIGITS || !Chars.at(text, digits, end, ": ")) {
      return at;
    }
    if (found != null) {
      found.task(at, digits);
    }
    return digits + 2;
  }

  /// The same, padded to the width of the largest number.
  static int padded(Text text, int at, int end, @Nullable FoundOrigin found) {
    var first = Chars.skipBlanks(text, at, Math.min(end, at + MOST_DIGITS));
    var behind = task(text, first, end, found);
    return behind > first ? behind : at;
  }

  /// `(RayTrainWorker pid=1, ip=10.0.0.1) `, and wrappers of vLLM in the same form.
  static int ray(Text text, int at, int end, @Nullable FoundOrigin found) {
    if (Chars.at(text, at, end, RAYLET)) {
      return raylet(text, at + RAYLET.length(), end);
    }
    var close = Chars.find(text, at, Math.min(end, at + 200), ')');
    var pid = close < 0 ? -1 : Chars.find(text, at, close, "pid=");
    if (pid < 0 || text.charAt(pid - 1) != ' ' && pid != at + 1) {
      return at;
    }
    if (found != null) {
      for (var worker : VLLM) {
        int digits = at + worker.length();
        int behind = Chars.skipDigits(text, digits, close);
        if (behind == pid - 1 && behind > digits && Chars.at(text, at, close, worker)) {
          found.rank(digits, behind);
        }
      }
    }
    return afterBlank(text, close + 1, end);
  }

  /// `(raylet) [2026-09-12 05:31:20,100 E 812 812] (raylet) `. The second part appears where Ray
  /// passes on a line of the raylet's own log.
  private static int raylet(Text text, int at, int end) {
    var close = at < end && text.charAt(at) == '[' ? Chars.find(text, at, end, ']') : -1;
    return close >= 0 && Chars.at(text, close + 2, end, RAYLET) ? close + 2 + RAYLET.length() : at;
  }

  static int afterBlank(Text text, int at, int end) {
    return at < end && text.charAt(at) == ' ' ? at + 1 : at;
  }
}
