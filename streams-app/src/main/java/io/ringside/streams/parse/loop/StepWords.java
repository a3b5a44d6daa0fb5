package io.ringside.streams.parse.loop;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.event.TrainerEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.TextLine;
import io.ringside.streams.parse.trainer.TrainerNames;
import java.util.Locale;
import java.util.Set;

/// One step line, read as words followed by numbers, with any separators between them: `step=10`,
/// `"step": 10`, `Step [10/400]`, `time 563.15ms`, `step_ms: 120`.
final class StepWords {
  /// In chars. Configurations are printed in longer lines.
  private static final int LONGEST = 1000;

  private static final Set<String> STEPS =
      Set.of("step", "iter", "iteration", "global_step", "global step", "batch", "update");

  /// Names for the duration of one step. Names for the duration of the run so far (`elapsed`,
  /// `train_time`) or for averages are not among them.
  private static final Set<String> TIMES =
      Set.of(
          "step_time",
          "steptime",
          "step time",
          "iter_time",
          "iter time",
          "iteration_time",
          "iteration time",
          "batch_time",
          "batch_cost", // Paddle
          "time_per_step",
          "time/step",
          "time_per_iter",
          "time_per_iteration",
          "time/iter",
          "sec_per_step",
          "s_per_step",
          "sec/step",
          "s/step",
          "sec_per_iter",
          "sec/iter",
          "s/iter",
          "train_step_timing in s",
          "step_time_s",
          "step_s",
          "dt",
          "elapsed_time_per_iteration",
          "step",
          "iter",
          "time_per_batch");

  /// Like any word with `loss`, these occur only in lines about training.
  private static final Set<String> TRAINING =
      Set.of(
          "lr",
          "learning_rate",
          "learning rate",
          "grad_norm",
          "gnorm",
          "norm",
          "mfu",
          "train_time",
          "step_avg",
          "tflops",
          "tps",
          "wps",
          "ups",
          "tok/s",
          "tok/sec",
          "tokens/s",
          "tokens/sec",
          "tokens_per_sec",
          "tokens_per_second",
          "samples/s",
          "samples/sec",
          "samples_per_sec",
          "samples_per_second");

  /// Names for how much one step computes. Tokens per second do not show it: most such values are
  /// averages.
  private static final Set<String> SIZES =
      Set.of("seq_len", "seqlen", "seq_length", "sequence_length", "context_length");

  private static final Set<String> EVALUATION =
      Set.of("val", "valid", "validation", "eval", "evaluation", "test");

  private static final Set<String> ANNOUNCED =
      Set.of("unfreez", "unfroze", "resolution is now", "sequence length is now", "profiler");

  private static final Set<String> TROUBLE = Set.of("error", "exception", "fail", "kill", "abort");

  /// Words in front of `time` for the duration of the run so far.
  private static final Set<String> SO_FAR = Set.of("total", "used", "elapsed", "cumulative");

  private final TextLine line;
  private final Text text;
  private final int begin;
  private final int end;
  private long step = -1;
  private long total = -1;
  private double seconds = Double.NaN;
  private double globalBatch;
  private double size;
  private boolean training;
  private boolean evaluation;

  /// The rank that the line itself names, `{"rank": 3, "step": 700, …}`; -1 if there is none.
  private int named = -1;

  private String before = "";

  StepWords(TextLine line) {
    this.line = line;
    this.text = line.text();
    this.begin = line.at();
    this.end = line.end();
  }

  boolean read() {
    if (end - line.at() > LONGEST) {
      return false;
    }
    while (!line.atEnd()) {
      var c = line.peek();
      if (Chars.isLetter(c)) {
        word();
      } else if (Chars.isDigit(c)) {
        bare();
      } else {
        line.back(line.at() + 1);
      }
    }
    var timed = seconds > 0 && seconds < Double.POSITIVE_INFINITY;
    if (step >= 0 && !timed && !training && announces()) {
      return line.emit(new LoopEvent.Resized());
    }
    if (step >= 0 && (timed || training && !evaluation)) {
      if (globalBatch > 0) {
        line.emit(new TrainerEvent.Setting(TrainerNames.GLOBAL_BATCH, globalBatch));
      }
      return line.emit(new LoopEvent.Step(step, timed ? seconds : Double.NaN, size, total));
    }
    int rank = step < 0 || evaluation ? -1 : line.rank() >= 0 ? line.rank() : named;
    boolean beat = line.rank() < 0; // a timer may print records
    return rank >= 0 && !troubled() && line.emit(new LoopEvent.Position(rank, step, beat));
  }

  /// Whether the line reports an error: other families read such lines.
  private boolean troubled() {
    var words = lower(begin, end);
    return TROUBLE.stream().anyMatch(words::contains);
  }

  /// `step 600: unfreezing layers 24-31`: steps after this line are of another kind.
  private boolean announces() {
    var words = lower(begin, end);
    return ANNOUNCED.stream().anyMatch(words::contains);
  }

  /// Reads a word, or a name of two or three words, and the number after it.
  private void word() {
    var from = line.at();
    var to = wordEnd(from);
    var first = lower(from, to);
    evaluation |= EVALUATION.contains(first);
    while (to + 1 < end && text.charAt(to) == ' ' && Chars.isLetter(text.charAt(to + 1))) {
      var next = wordEnd(to + 1);
      if (next - from > 30 || !continues(lower(from, next))) {
        break;
      }
      to = next;
    }
    var word = lower(from, to);
    training |= word.contains("loss") || TRAINING.contains(word) || word.endsWith("_ms");
    var inMillis = Chars.at(text, to, end, " (ms)");
    line.back(inMillis ? to + 5 : Chars.at(text, to, end, "(train)") ? to + 7 : to);
    separators();
    var c = line.peek();
    if (Chars.isDigit(c)) {
      number(word, inMillis);
    }
    before = word;
  }

  private static boolean continues(String words) {
    return STEPS.contains(words)
        || TIMES.contains(words)
        || TRAINING.contains(words)
        || words.equals("train_step_timing in");
  }

  private void number(String word, boolean inMillis) {
    var from = line.at();
    var value = line.decimal();
    if (step < 0 && STEPS.contains(word)) {
      step = whole(from, line.at());
      of();
    } else if (word.equals("epoch")) {
      epoch();
    } else if (word.equals("rank") && named < 0) {
      named = (int) Math.min(whole(from, line.at()), Integer.MAX_VALUE);
    } else if (word.startsWith("global_batch")) {
      globalBatch = value;
    } else if (SIZES.contains(word)) {
      size = value;
    } else if (Double.isNaN(seconds)) {
      seconds = seconds(word, value, inMillis);
    }
  }

  /// Duration of a step if the word names one, else NaN.
  private double seconds(String word, double value, boolean inMillis) {
    var unit = unit();
    var millis = inMillis || unit.equals("ms");
    var plain = section(word);
    if (word.endsWith("_ms")) {
      plain = word.substring(0, word.length() - 3);
      millis = true;
    } else if (word.startsWith("ms_per_") || word.startsWith("ms/")) {
      plain = "s/step";
      millis = true;
    }
    // `time` alone may be that of the whole run; it is that of one step if it is in milliseconds,
    // if an average follows, as from an AverageMeter, or if the line also has the time spent on
    // data, as from MMEngine and Detectron2
    var ofOne =
        plain.equals("time")
            && !SO_FAR.contains(before)
            && (millis || average() || Chars.find(text, begin, end, "data_time: ") > 0);
    var bare = plain.equals("step") || plain.equals("iter"); // step_ms
    if (!ofOne && (!TIMES.contains(plain) || bare && !word.endsWith("_ms"))) {
      return Double.NaN;
    }
    return !unit.isEmpty() && !unit.equals("ms") && !unit.equals("s") && !unit.startsWith("sec")
        ? Double.NaN
        : millis ? value / 1000 : value;
  }

  /// The name without the section that experiment trackers put in front: `perf/step_time`.
  private static String section(String word) {
    var slash = word.lastIndexOf('/');
    var name = word.substring(slash + 1);
    return slash > 0
            && TIMES.contains(name)
            && !STEPS.contains(name)
            && !EVALUATION.contains(word.substring(0, slash))
        ? name
        : word;
  }

  /// Whether another number follows in brackets: `0.563 ( 0.571)`, but not `418.76 (s)`.
  private boolean average() {
    var at = blanks();
    var next = Chars.skipBlanks(text, at + 1, end);
    return next < end && text.charAt(at) == '(' && Chars.isDigit(text.charAt(next));
  }

  /// The letters directly after a number, or after one blank.
  private String unit() {
    var at = line.at();
    if (at < end && text.charAt(at) == ' ') {
      at++;
    }
    var to = at;
    while (to < end && Chars.isLetter(text.charAt(to))) {
      to++;
    }
    var unit = lower(at, to);
    return at == line.at() || unit.equals("ms") || unit.equals("s") || unit.startsWith("sec")
        ? unit
        : "";
  }

  /// `|  3062.12 ms |` of llm.c and others: a time without a name.
  private void bare() {
    var from = line.at();
    var value = line.decimal();
    if (Double.isNaN(seconds) && inACell(from) && Chars.at(text, line.at(), end, " ms |")) {
      seconds = value / 1000;
    }
  }

  private boolean inACell(int at) {
    var before = at - 1;
    while (before >= begin && text.charAt(before) == ' ') {
      before--;
    }
    return before >= begin && text.charAt(before) == '|';
  }

  /// `Epoch: [0][ 10/5005]`, `epoch 001:    100 / 1000`: steps within an epoch, without a name.
  private void epoch() {
    if (step >= 0) {
      return;
    }
    var at = line.at();
    separators();
    if (line.skip(']')) {
      separators();
    }
    var from = line.at();
    var to = Chars.skipDigits(text, from, end);
    var slash = Chars.skipBlanks(text, to, end);
    if (to > from && slash < end && text.charAt(slash) == '/') {
      line.back(to);
      step = whole(from, to);
      of();
    } else {
      line.back(at);
    }
  }

  /// Reads the total, `/400`, after the step.
  private void of() {
    var slash = blanks();
    if (slash < end && text.charAt(slash) == '/') {
      var from = Chars.skipBlanks(text, slash + 1, end);
      var to = Chars.skipDigits(text, from, end);
      if (to > from) {
        total = whole(from, to);
        line.back(to);
      }
    }
  }

  private long whole(int from, int to) {
    var digits = Chars.skipDigits(text, from, to);
    return digits < to || to - from > 12 ? -1 : Long.parseLong(text.substring(from, to));
  }

  private int blanks() {
    return Chars.skipBlanks(text, line.at(), end);
  }

  /// Moves past the separators between a word and its number.
  private void separators() {
    while (!line.atEnd() && " =:[('\"\t".indexOf(line.peek()) >= 0) {
      line.back(line.at() + 1);
    }
  }

  private int wordEnd(int from) {
    var to = from;
    while (to < end
        && (Chars.isLetter(text.charAt(to))
            || text.charAt(to) == '_'
            || text.charAt(to) == '/' && to + 1 < end && Chars.isLetter(text.charAt(to + 1)))) {
      to++;
    }
    return to;
  }

  private String lower(int from, int to) {
    return text.substring(from, to).toLowerCase(Locale.ROOT);
  }
}
