package io.ringside.benchmarks.parse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// What the ranks of three jobs print, in turns of 2 to 30 lines, as they do to one pipe: 15 %
/// edges, 45 % other NCCL lines, 40 % lines of the training. The lines are those of a recorded job
/// (`job.log`), in its order for each rank; the same for ever.
final class Runs {
  private static final int STEPS = 1_722;
  private static final String BLOCKS = " ▏▎▍▌▋▊▉█";
  private static final double[] SHARES = {0.15, 0.45, 0.40};
  private static final int[] LONGEST = {24, 30, 20};

  private final RandomGenerator random =
      RandomGeneratorFactory.of("L64X128MixRandom").create(20261120);
  private final List<String> nccl;
  private final List<String> training;
  private final List<JobRank> ranks = new ArrayList<>();
  private final int[] ncclAt;
  private final int[] trainingAt;
  private final int[] step;
  private final long[] written = new long[SHARES.length];

  Runs() {
    var recorded = recorded();
    nccl = recorded.stream().filter(line -> line.contains(" NCCL ")).toList();
    training = recorded.stream().filter(line -> !line.contains(" NCCL ")).toList();
    job("llama-3-8b", 0, 4);
    job("llama-3-70b", 1, 8);
    job("qwen-2-5-32b", 2, 4);
    ncclAt = random.ints(ranks.size(), 0, nccl.size()).toArray();
    trainingAt = random.ints(ranks.size(), 0, training.size()).toArray();
    step = random.ints(ranks.size(), 1, 900).toArray();
  }

  private void job(String name, int number, int nodes) {
    for (var node = 0; node < nodes; node++) {
      for (var device = 0; device < 8; device++) {
        ranks.add(new JobRank(random, name, number, nodes, node, device));
      }
    }
  }

  private static List<String> recorded() {
    try (var in = Runs.class.getResourceAsStream("job.log")) {
      if (in == null) {
        throw new IllegalStateException("job.log is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The next run of a rank.
  List<String> next() {
    var kind = mostWanted();
    var count = random.nextInt(2, LONGEST[kind] + 1);
    written[kind] += count;
    var rank = random.nextInt(ranks.size());
    return switch (kind) {
      case 0 -> edges(rank, count);
      case 1 -> nccl(rank, count);
      default -> random.nextInt(100) < 35 ? steps(rank, count) : training(rank, count);
    };
  }

  /// The kind that is furthest behind its share, with some chance in it.
  private int mostWanted() {
    var all = written[0] + written[1] + written[2];
    var least = Double.MAX_VALUE;
    var wanted = 0;
    for (var kind = 0; kind < SHARES.length; kind++) {
      var ahead = written[kind] / SHARES[kind] - all + random.nextDouble(400);
      if (ahead < least) {
        least = ahead;
        wanted = kind;
      }
    }
    return wanted;
  }

  private List<String> edges(int rank, int count) {
    var edges = ranks.get(rank).edges();
    var lines = new ArrayList<String>();
    for (var channel = 0; channel < count; channel++) {
      lines.add(edges.line(channel, random.nextInt(2)));
    }
    return lines;
  }

  private List<String> nccl(int rank, int count) {
    var lines = new ArrayList<String>();
    for (var i = 0; i < count; i++) {
      lines.add(ranks.get(rank).nccl(nccl.get(ncclAt[rank])));
      ncclAt[rank] = (ncclAt[rank] + 1) % nccl.size();
    }
    return lines;
  }

  private List<String> training(int rank, int count) {
    var lines = new ArrayList<String>();
    for (var i = 0; i < count; i++) {
      lines.add(ranks.get(rank).training(training.get(trainingAt[rank])));
      trainingAt[rank] = (trainingAt[rank] + 1) % training.size();
    }
    return lines;
  }

  /// Steps of the Trainer: its bar, and the metrics behind each second one.
  private List<String> steps(int rank, int count) {
    var lines = new ArrayList<String>();
    while (lines.size() < count) {
      step[rank] = step[rank] % STEPS + 1;
      lines.add(bar(step[rank]));
      if (random.nextBoolean()) {
        lines.add(metrics(step[rank]));
      }
    }
    return lines.subList(0, count);
  }

  private String bar(int step) {
    var filled = 10.0 * step / STEPS;
    var bar = "█".repeat((int) filled) + (filled < 10 ? BLOCKS.charAt((int) (filled % 1 * 8)) : "");
    var rate = random.nextDouble(28, 40);
    return String.format(
        Locale.ROOT,
        "%3d%%|%-10s| %d/%d [%s<%s, %.2fs/it]",
        100 * step / STEPS,
        bar,
        step,
        STEPS,
        clock((int) (step * rate)),
        clock((int) ((STEPS - step) * rate)),
        rate);
  }

  private static String clock(int seconds) {
    return seconds >= 3600
        ? "%d:%02d:%02d".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60)
        : "%02d:%02d".formatted(seconds / 60, seconds % 60);
  }

  private String metrics(int step) {
    return String.format(
        Locale.ROOT,
        "{'loss': %.4f, 'grad_norm': %.14f, 'learning_rate': %s, 'epoch': %.2f}",
        2.5 - step / 1000.0 + random.nextDouble(0.2),
        random.nextDouble(3),
        String.format(Locale.ROOT, "%.14e", 2e-5 * (1 - (double) step / STEPS)),
        step / 574.0);
  }
}
