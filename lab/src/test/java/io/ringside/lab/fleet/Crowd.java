package io.ringside.lab.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// Who runs jobs in a hostile fleet, in a process of its own: other hostile jobs each hour, logs
/// that an agent reads, and small jobs in between whose finding must come. Its hours are short
/// ones: what it says has the stamps of a time that began long ago and catches up with now. Prints
/// a line an hour.
final class Crowd {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration CHUNKS = Duration.ofMillis(250);
  private static final int PODS = 5;

  private Crowd() {}

  /// @param arguments the broker, how long, how many times as fast, the seed, the folder of an
  ///   agent's logs, markers an hour
  public static void main(String[] arguments) throws Exception {
    var servers = arguments[0];
    var length = Duration.parse(arguments[1]);
    int times = Integer.parseInt(arguments[2]);
    long seed = Long.parseLong(arguments[3]);
    int markers = Integer.parseInt(arguments[5]);
    var real = InstantSource.system();
    var began = real.instant();
    InstantSource told =
        () -> began.minus(length).plus(Duration.between(began, real.instant()).multipliedBy(times));
    var logs = new HostileFolder(Path.of(arguments[4]), seed, PODS);
    var until = began.plus(length.dividedBy(times));
    try (var traffic = new Traffic(servers);
        var results = Results.ofMarkers(servers)) {
      for (int hour = 0; real.instant().isBefore(until); hour++) {
        var next = began.plus(HOUR.multipliedBy(hour + 1L).dividedBy(times));
        try (var _ = new Poison(servers, seed + 100L * hour, names(hour), CHUNKS, told)) {
          double slowest = 0;
          int answered = 0;
          while (real.instant().isBefore(next) && real.instant().isBefore(until)) {
            logs.turn(told.instant());
            if (answered < markers) {
              slowest = Math.max(slowest, one(1000 * hour + answered++, traffic, results));
            }
          }
          System.out.printf(
              Locale.ROOT, "hour %d: %d answered, slowest %.2f s%n", hour, answered, slowest);
        }
      }
    }
  }

  private static double one(int number, Traffic traffic, Results results) {
    return Answers.secondsOf(number, 1, Duration.ZERO, traffic, results).getFirst();
  }

  /// Names of this hour's jobs, which want to be taken for something else.
  private static List<String> names(int hour) {
    return IntStream.range(0, 12)
        .mapToObj(
            i ->
                Poison.NAME
                    + hour
                    + List.of("", "|a", "\n", "<script>", "\u001b[2J", "%2f..", "\u202e", " ", "\"")
                        .get(i % 9)
                    + i)
        .toList();
  }
}
