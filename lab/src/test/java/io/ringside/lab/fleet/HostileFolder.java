package io.ringside.lab.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Pods' logs of a machine whose jobs want to do harm to its agent: links, pipes and folders in the
/// place of logs, secrets, logs that are torn away, cut off and never quiet.
final class HostileFolder {
  /// What no agent may send: it stands in a file beside the folder, and as a password in every log.
  static final String SECRET = "hunter2hunter2hunter2";

  private static final List<String> SECRETS =
      List.of(
          "PGPASSWORD=%s",
          "password: \"%s\"",
          "redis://:%s@cache:6379/0",
          "Authorization: Bearer %s",
          "{\\\"token\\\": \\\"%s\\\"}",
          "wandb login %s");

  private final Path pods;
  private final List<HostileJob> jobs;
  private int turn;

  /// @param pods where the agent looks
  HostileFolder(Path pods, long seed, int jobs) throws IOException, InterruptedException {
    this.pods = pods;
    this.jobs = IntStream.range(0, jobs).mapToObj(i -> new HostileJob(seed + i, name(i))).toList();
    var outside = Files.writeString(pods.resolveSibling("shadow"), "root:" + SECRET + "\n");
    var trap = folder("trap");
    Files.createSymbolicLink(trap.resolve("0.log"), outside.toAbsolutePath());
    Files.createSymbolicLink(trap.resolve("1.log"), Path.of("/proc/kmsg"));
    Files.createSymbolicLink(trap.resolve("2.log"), Path.of("/dev/zero"));
    Files.createDirectory(trap.resolve("3.log"));
    Signals.run(List.of("mkfifo", trap.resolve("4.log").toString()));
    for (int i = 0; i < jobs; i++) {
      folder(name(i));
    }
  }

  private static String name(int job) {
    return Poison.NAME + "of-agent-" + job;
  }

  private Path folder(String job) throws IOException {
    return Files.createDirectories(log(job).getParent());
  }

  private Path log(String job) {
    return pods.resolve("training_" + job + "-node-0-0_uid").resolve("trainer").resolve("0.log");
  }

  /// One of the jobs says its next lines, and does something to its file now and then.
  void turn(Instant now) throws IOException {
    int job = turn % jobs.size();
    var log = log(name(job));
    int round = turn++ / jobs.size();
    if (round % 20 == 19) {
      Files.move(log, log.resolveSibling("0.log." + job), StandardCopyOption.REPLACE_EXISTING);
    } else if (round % 20 == 9) {
      Files.writeString(log, "");
    }
    var lines = new ArrayList<String>();
    jobs.get(job).chunk(now).text().toString().lines().forEach(lines::add);
    lines.add(SECRETS.get(round % SECRETS.size()).formatted(SECRET));
    Files.write(log, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
