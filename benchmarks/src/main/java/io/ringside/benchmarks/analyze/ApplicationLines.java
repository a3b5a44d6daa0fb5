package io.ringside.benchmarks.analyze;

import java.util.Locale;
import java.util.SplittableRandom;

/// What programs print for themselves and nobody here reads: the bulk of most logs.
final class ApplicationLines {
  private final SplittableRandom random;
  private long step;

  ApplicationLines(long seed) {
    random = new SplittableRandom(seed);
  }

  String next() {
    step++;
    return switch (random.nextInt(10)) {
      case 0, 1 -> logged("data.loader", "worker %d fetched shard %05d in %.1f ms", 16, 99_000);
      case 2 ->
          logged("trainer.callbacks", "queue depth %d, tokens seen %d, fill %.3f", 64, 900_000);
      case 3 ->
          logged("checkpoint.async_writer", "flushed part %d (%d bytes) at %.2f MB/s", 8, 1 << 30);
      case 4 ->
          "{\"level\": \"info\", \"logger\": \"tokenizer\", \"step\": %d, \"batch\": [%d, %d], \"msg\": \"packed sequences\"}"
              .formatted(step, random.nextInt(64), random.nextInt(8192));
      case 5 ->
          "  warnings.warn(\"`use_cache=True` is incompatible with gradient checkpointing, step %d\")"
              .formatted(step);
      case 6 ->
          String.format(
              Locale.ROOT,
              "DEBUG:urllib3.connectionpool:https://store:443 \"GET /shards/%08x?part=%d HTTP/1.1\" 206 %d",
              random.nextInt(),
              random.nextInt(100),
              random.nextInt(1 << 26));
      case 7 -> "[rank%d] eval sample %d: %s".formatted(random.nextInt(16), step, words());
      case 8 ->
          "I1121 %02d:%02d:%02d.%06d %d model_runner.py:%d] %s"
              .formatted(
                  random.nextInt(24),
                  random.nextInt(60),
                  random.nextInt(60),
                  random.nextInt(1_000_000),
                  random.nextInt(100, 10_000),
                  random.nextInt(20, 900),
                  words());
      default -> words();
    };
  }

  private String logged(String logger, String format, int few, int many) {
    return "2026-11-21 %02d:%02d:%02d,%03d - %s - INFO - "
            .formatted(
                random.nextInt(24),
                random.nextInt(60),
                random.nextInt(60),
                random.nextInt(1_000),
                logger)
        + String.format(
            Locale.ROOT, format, random.nextInt(few), random.nextInt(many), random.nextDouble(400));
  }

  private String words() {
    var line = new StringBuilder();
    int words = random.nextInt(6, 20);
    for (int i = 0; i < words; i++) {
      line.append(i == 0 ? "" : " ").append(WORDS[random.nextInt(WORDS.length)]);
    }
    return line.toString();
  }

  private static final String[] WORDS =
      ("the model answers that a river of data runs through layers attention heads and memory while "
              + "gradients flow back to Channel NET error init Using rank loss 0.173 (cached) value=42 über")
          .split(" ");
}
