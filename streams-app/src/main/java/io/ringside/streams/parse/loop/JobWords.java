package io.ringside.streams.parse.loop;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.scan.Chars;
import java.util.List;

/// Whether a line is one that only GPU jobs print: a loss, a rate of samples or tokens per second,
/// or the first words of a framework, a server or a benchmark. Such a line names no step, but shows
/// that a job ran here. Only lines that no family reads are checked.
public final class JobWords {
  private static final int SHORTEST = 6;
  private static final int LONGEST = 1000;

  /// Longest distance in chars between `loss` and its number: `loss (mean) = `, `loss_ce: `.
  private static final int FARTHEST_LOSS = 16;

  /// One of these texts is enough, anywhere in the line.
  private static final List<String> SURE =
      List.of(
          ":::MLL", // MLPerf's logs, `:::MLLOG {…}` and before 2020 `:::MLL 1560722659.106 …`
          ":::MLPv0.",
          "MLPerf: ", // 2019
          "vLLM API server version",
          " LLM engine (v", // vLLM, `Initializing a V1 LLM engine (v0.10.0) with config`
          "Avg prompt throughput: ",
          "server_args=ServerArgs(", // SGLang
          "Init torch distributed begin",
          "[TensorRT-LLM] TensorRT-LLM version",
          "Added key: store_based_barrier_key",
          "Completed store-based barrier for key",
          "Initializing distributed: GLOBAL_RANK: ", // Lightning
          "initializing distributed: GLOBAL_RANK: ",
          "GPU available: True",
          "Starting training from iteration ", // Detectron2
          "[accelerate.accelerator][", // Accelerate, by Hydra's loggers
          "| distributed init (rank ", // DETR's script, which timm and MAE took over
          "fairseq.distributed.utils | distributed init (rank ",
          "WORLD INFO DICT: {", // DeepSpeed
          " pytorch allocator cache flushes since last step", // DeepSpeed, ZeRO 3
          "[deepspeed] OVERFLOW! Rank ", // of a step that is skipped for its loss scale
          "[deepscale] OVERFLOW! Rank ", // DeepSpeed to 0.8.1
          "[deepspeed] fp16 dynamic loss scale overflow! Skipping step",
          "Setting ds_accelerator to cuda",
          "initialized tensor model parallel with size ", // Megatron-LM
          "init nccl context nranks: ", // Paddle
          "GPU Compute Capability: ",
          "Distributed environment is initialized, ", // Colossal-AI
          "device:GPU:0 with ", // TensorFlow, `Created device /job:localhost/…`
          "distributed_backend=nccl",
          "backend='nccl'",
          "backend=nccl");

  /// Units after or before a number.
  private static final List<String> RATES =
      List.of(
          "samples/s",
          "sample/s",
          "tokens/s",
          "token/s",
          "tok/s",
          "images/s",
          "image/s",
          "img/s",
          "imgs/s",
          "sequences/s",
          "seqs/s",
          "sentences/s",
          "words/s");

  private JobWords() {}

  /// How much a line shows that a job ran.
  public enum Sign {
    NONE,
    /// Several such lines are needed: prose and tables contain these words, too.
    LIKELY,
    SURE
  }

  /// Checks a line.
  public static Sign of(Text text, int from, int end) {
    if (end - from < SHORTEST) {
      return Sign.NONE;
    }
    var line = text.substring(from, Math.min(end, from + LONGEST));
    for (var words : SURE) {
      if (line.contains(words)) {
        return Sign.SURE;
      }
    }
    boolean whole = end - from <= LONGEST; // configurations are printed in long lines
    return whole && (tellsLoss(line) || tellsRate(line)) ? Sign.LIKELY : Sign.NONE;
  }

  /// `Avg train loss=0.577775`, `Loss/tok 8.4761 (9.1138)`, `s:1 trl:10.9598` of llm.c.
  private static boolean tellsLoss(String line) {
    if (line.startsWith("s:") && line.contains(" trl:")) {
      return true;
    }
    for (int at = line.indexOf("oss"); at > 0; at = line.indexOf("oss", at + 3)) {
      var first = line.charAt(at - 1);
      if ((first == 'l' || first == 'L')
          && endsWord(line, at + 3)
          && decimalFollows(line, at + 3)) {
        return true;
      }
    }
    return false;
  }

  /// Whether the word ends here, after `loss` or `losses`.
  private static boolean endsWord(String line, int at) {
    int end = line.startsWith("es", at) ? at + 2 : at;
    return end == line.length() || !Chars.isLetter(line.charAt(end));
  }

  private static boolean decimalFollows(String line, int from) {
    int to = Math.min(line.length(), from + FARTHEST_LOSS);
    for (int at = from; at < to; at++) {
      if (Chars.isDigit(line.charAt(at))) {
        int dot = at;
        while (dot < line.length() && Chars.isDigit(line.charAt(dot))) {
          dot++;
        }
        return dot + 1 < line.length()
            && line.charAt(dot) == '.'
            && Chars.isDigit(line.charAt(dot + 1));
      }
    }
    return false;
  }

  /// `92.755871 samples/sec`, `Tok/s 16953`, `tokens/s: 5,856`.
  private static boolean tellsRate(String line) {
    if (!line.contains("/s")) {
      return false;
    }
    for (var rate : RATES) {
      int at = indexOfWord(line, rate);
      if (at >= 0 && (numberBefore(line, at) || numberBehind(line, at + rate.length()))) {
        return true;
      }
    }
    return false;
  }

  private static int indexOfWord(String line, String word) {
    for (int at = 0; at + word.length() <= line.length(); at++) {
      if (line.regionMatches(true, at, word, 0, word.length())
          && (at == 0 || !Chars.isLetter(line.charAt(at - 1)))) {
        return at;
      }
    }
    return -1;
  }

  private static boolean numberBefore(String line, int at) {
    int before = at - 1;
    while (before > 0 && line.charAt(before) == ' ') {
      before--;
    }
    return before >= 0 && Chars.isDigit(line.charAt(before));
  }

  private static boolean numberBehind(String line, int at) {
    int next = at;
    while (next < line.length() && "ec:=( ".indexOf(line.charAt(next)) >= 0) {
      next++;
    }
    return next < line.length() && Chars.isDigit(line.charAt(next));
  }
}
