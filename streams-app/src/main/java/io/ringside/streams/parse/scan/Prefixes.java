package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;

/// Prefixes that Python and C++ loggers write between the launcher's wrapper and the message:
///
/// ```text
///   [2026-11-20 20:34:49,625] [INFO] [logging.py:96:log_dist] [Rank 0]   DeepSpeed
///   [E1120 20:30:39.754865337 ProcessGroupNCCL.cpp:689] [PG ID 0 PG GUID 0(default_pg) Rank 0]
///                                  torch, C++
///   W1120 20:37:45.017000 10209 torch/distributed/elastic/agent/server/api.py:739]
///                                  torch, Python
///   [2026-02-01 10:00:00.123456]   Megatron
///   [2026-02-01 10:00:00,123] [    INFO] -   PaddleNLP
///   2024-01-11 05:43:11.726254: E external/xla/xla/service/gpu/nccl_utils.cc:211]
///                                  XLA, TensorFlow
///   [transformers]   [INFO|trainer.py:2519] 2025-12-28 16:04:25,123 >>   [RANK 0]
///                                  transformers, accelerate
/// ```
///
/// Warnings of torch's compiler (`torch._dynamo`) keep their prefix: the compiler prints, with a
/// traceback, why it gives up on a function, and the function then runs uncompiled.
public final class Prefixes {

  private static final int LONGEST = 400;

  /// Modules of torch's compiler.
  static final String COMPILER = "torch._";

  private Prefixes() {}

  /// First char of the message after a logger's prefix; `at` itself if there is no prefix.
  public static int skip(Text text, int at, int end) {
    if (at >= end) {
      return at;
    }
    var c = text.charAt(at);
    if (c == '[') {
      return ranks(text, bracket(text, at, end), end);
    }
    if (isGlog(text, at, end)) {
      var close = Chars.find(text, at, Math.min(end, at + LONGEST), "] ");
      var harmless = c == 'W' && close > 0 && Chars.find(text, at, close, " torch/_") > 0;
      return close < 0 || harmless ? at : ranks(text, close + 2, end);
    }
    if ((c == 'I' || c == 'W' || c == 'E') && isNamed(text, at, end)) {
      return ranks(text, Levels.skip(text, at, end), end);
    }
    return tsl(text, at, end);
  }

  private static int tsl(Text text, int at, int end) {
    int from = at;
    if (DateTime.isAt(text, at, end)) {
      from = DateTime.fractionEnd(text, at, end);
      if (!Chars.at(text, from, end, ": ")) {
        return at;
      }
      from += 2;
    }
    if (from + 2 >= end || text.charAt(from + 1) != ' ' || !isSeverity(text.charAt(from))) {
      return at;
    }
    int close = Chars.find(text, from, Math.min(end, from + LONGEST), "] ");
    return close < 0 || Chars.find(text, from, close, ".cc:") < 0 ? at : close + 2;
  }

  private static boolean isSeverity(char c) {
    return c == 'I' || c == 'W' || c == 'E' || c == 'F';
  }

  /// `W1120 20:37:45.017000 10209 torch/…:739] `: a severity and the date. C++ does not pad the
  /// month.
  public static boolean isGlog(Text text, int at, int end) {
    var c = text.charAt(at);
    if ((c != 'I' && c != 'W' && c != 'E' && c != 'V' && c != 'C' && c != 'F') || end - at <= 20) {
      return false;
    }
    var date = Chars.skipDigits(text, at + 1, end);
    return (date == at + 5 || date == at + 4)
        && text.charAt(date) == ' '
        && text.charAt(date + 3) == ':';
  }

  /// `[E1120 20:30:39.754865337 File.cpp:689] `, or `[E File.cpp:458] ` up to torch 2.3; the month
  /// is not padded.
  static boolean isGlogBracket(Text text, int at, int end) {
    if (end - at < 12) {
      return false;
    }
    var c = text.charAt(at + 1);
    if (!isSeverity(c)) {
      return false;
    }
    var digits = Chars.skipDigits(text, at + 2, end) - at - 2;
    return digits == 0
        ? text.charAt(at + 2) == ' '
        : (digits == 3 || digits == 4) && Chars.at(text, at + 2 + digits, end, " ");
  }

  private static boolean isNamed(Text text, int at, int end) {
    return Chars.at(text, at, end, "INFO:torch")
        || Chars.at(text, at, end, "WARNING:torch")
        || Chars.at(text, at, end, "ERROR:torch");
  }

  private static int bracket(Text text, int at, int end) {
    if (at + 2 >= end) {
      return at;
    }
    var c = text.charAt(at + 1);
    if (Chars.isDigit(c)) {
      return dated(text, at, end);
    }
    if (isGlogBracket(text, at, end)) {
      var close = Chars.find(text, at, Math.min(end, at + LONGEST), "] ");
      return close < 0 ? at : close + 2;
    }
    if (Chars.at(text, at, end, "[transformers] ")) {
      return at + 15;
    }
    if (Chars.at(text, at, end, "[INFO|") || Chars.at(text, at, end, "[WARNING|")) {
      var arrows = Chars.find(text, at, Math.min(end, at + LONGEST), " >> ");
      return arrows < 0 ? at : arrows + 4;
    }
    return at;
  }

  /// `[2026-11-20 20:34:49,625] `, alone or followed by `[LEVEL] - ` or `[LEVEL]
  /// [file.py:96:func] `; `[2019-04-13 13:53:31.851506: W horovod/common/operations.cc:588] ` of
  /// Horovod.
  private static int dated(Text text, int at, int end) {
    if (end - at < 22 || text.charAt(at + 5) != '-' || text.charAt(at + 14) != ':') {
      return at;
    }
    var stamp = Chars.find(text, at, Math.min(end, at + 32), ']') + 1;
    var step = stamp == 0 ? 0 : Levels.afterPlace(text, stamp, end);
    if (step > stamp) {
      return step;
    }
    var close = Chars.find(text, at, Math.min(end, at + 32), "] ");
    if (close < 0) {
      var place = Chars.find(text, at, Math.min(end, at + LONGEST), "] ");
      return place < 0 || Chars.find(text, at, place, ".cc:") < 0 ? at : place + 2;
    }
    var next = close + 2;
    if (next < end && text.charAt(next) == '[') {
      var dash = Chars.find(text, next, Math.min(end, next + 16), "] - ");
      if (dash > 0) {
        return dash + 4;
      }
      var level = Chars.find(text, next, Math.min(end, next + 16), "] [");
      var place = level < 0 ? -1 : Chars.find(text, level + 2, Math.min(end, level + 160), "] ");
      return place < 0 ? next : Math.max(place + 2, next);
    }
    if (Chars.at(text, next, end, "torch.")) {
      var level = Chars.find(text, next, Math.min(end, next + 120), ": [");
      var after = level < 0 ? -1 : Chars.find(text, level, end, "] ");
      var harmless = Chars.at(text, next, end, COMPILER) && Chars.at(text, level, end, ": [WARN");
      return harmless ? at : after < 0 ? next : after + 2;
    }
    return next;
  }

  /// `[Rank 0] `, `[Rank 0]: `, `[RANK 0] `, `[PG ID 0 PG GUID 0(default_pg) Rank 0] `, each
  /// optionally after blanks.
  private static int ranks(Text text, int from, int end) {
    var at = Chars.skipBlanks(text, from, end);
    for (var i = 0; i < 3; i++) {
      if (!Chars.at(text, at, end, "[Rank ")
          && !Chars.at(text, at, end, "[RANK ")
          && !Chars.at(text, at, end, "[RANK:")
          && !Chars.at(text, at, end, "[PID:")
          && !Chars.at(text, at, end, "[PG ")) {
        return at;
      }
      var close = Chars.find(text, at, Math.min(end, at + LONGEST), ']');
      if (close < 0) {
        return at;
      }
      var next = close + 1 < end && text.charAt(close + 1) == ':' ? close + 2 : close + 1;
      at = Chars.skipBlanks(text, next, end);
    }
    return at;
  }
}
