package io.ringside.benchmarks.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// `AgentBenchmark HOME backlog|steady|idle|sensors|start|soak [MORE]`: measures the agent that was
/// put together in HOME. Wants Linux and two cores: the agent has core 0, this JVM with its broker
/// should have another (`taskset -c 1`).
final class AgentBenchmark {
  private static final double MEGABYTE = 1e6;
  private static final double TEN_LINES = 10 * 94;

  private AgentBenchmark() {}

  /// Prints the figures; exits with 1 if a line was lost.
  public static void main(String[] arguments) throws IOException, InterruptedException {
    boolean good = true;
    try (var rig = Rig.start(Path.of(arguments[0]))) {
      String more = arguments.length > 2 ? arguments[2] : "";
      switch (arguments[1]) {
        case "backlog" -> new Backlog(rig, number("RUNS", 3), number("BARE", 1) > 0).measure(more);
        case "steady" ->
            new Paced(rig)
                .measure("10 MB/s", 10 * MEGABYTE, Duration.ofSeconds(30), Duration.ofSeconds(60));
        case "idle" ->
            new Paced(rig)
                .measure("10 lines/s", TEN_LINES, Duration.ofSeconds(30), Duration.ofSeconds(30));
        case "sensors" ->
            new WitnessCost(rig)
                .measure(Duration.ofSeconds(60), Duration.ofSeconds(number("SECONDS_TO_RUN", 180)));
        case "start" -> new FirstAck(rig).measure(number("RUNS", 9));
        case "soak" ->
            good =
                new Soak(rig)
                    .measure(
                        number("LINES_PER_SECOND", 20_000),
                        Duration.ofSeconds(number("SECONDS_TO_RUN", 1_800)),
                        Duration.ofSeconds(number("ROTATION_SECONDS", 60)));
        default -> throw new IllegalArgumentException("no benchmark " + arguments[1]);
      }
    }
    System.exit(good ? 0 : 1);
  }

  private static int number(String variable, int otherwise) {
    String given = System.getenv(variable);
    return given == null ? otherwise : Integer.parseInt(given);
  }
}
