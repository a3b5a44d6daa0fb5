package io.ringside.lab.lives;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.shipper.source.log.follow.ByteBudget;
import io.ringside.shipper.source.log.follow.Checkpoints;
import io.ringside.shipper.source.log.follow.LogTailer;
import io.ringside.shipper.source.log.follow.TailCounts;
import io.ringside.shipper.source.log.follow.TailSettings;
import io.ringside.shipper.source.log.line.LineCounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The logs of one machine as files of a folder, and the tailer of the real agent that reads them
/// by the bench's clock. Its globs match copies as well, as those of whoever names a whole folder.
final class TailedLogs {
  private final String job;
  private final Path folder;
  private final InstantSource clock;
  private final KubeletLogs files;
  private final LineCounts lines = new LineCounts();
  private final TailCounts counts = new TailCounts();
  private final List<LogChunk> sent = new ArrayList<>();
  private @Nullable LogTailer tailer;
  private boolean copies;
  private long printed;

  /// @param job whose all logs are
  TailedLogs(Path folder, String job, InstantSource clock) throws IOException {
    this.job = job;
    this.folder = folder;
    this.clock = clock;
    files = new KubeletLogs(Files.createDirectories(folder.resolve("pods")));
  }

  void startAgent() {
    var started =
        new LogTailer(
            "logs",
            TailSettings.of(List.of(files.glob() + "*")),
            this::source,
            new Checkpoints(folder.resolve("checkpoints.json")),
            this::send,
            new ByteBudget(1 << 20),
            lines,
            counts,
            clock,
            () -> Duration.between(Cluster.T0, clock.instant()).toNanos());
    started.load();
    tailer = started;
  }

  void stopAgent() {
    if (tailer != null) {
      tailer.close();
      tailer = null;
    }
  }

  /// The next lines are written, all is copied, and the files begin anew before anybody has read.
  void copyTruncate() {
    copies = true;
  }

  /// How many lines were written.
  long printed() {
    return printed;
  }

  /// How many lines the agent sent.
  long sent() {
    return lines.lines.sum();
  }

  /// How often it saw that a file began anew.
  long truncations() {
    return counts.truncations.sum();
  }

  /// What the agent reads once this is written.
  List<LogChunk> read(List<LogChunk> written) {
    try {
      for (var chunk : written) {
        if (chunk.lines() > 0 || chunk.end()) {
          files.take(chunk);
          printed += chunk.lines();
        }
      }
      if (copies) {
        files.copyTruncate();
        copies = false;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    while (tailer != null && tailer.poll()) {
      // there is more
    }
    var chunks = List.copyOf(sent);
    sent.clear();
    return chunks;
  }

  private CompletableFuture<Void> send(LogChunk chunk) {
    sent.add(chunk);
    return CompletableFuture.completedFuture(null);
  }

  /// `<namespace>_<pod>_<uid>/<container>/0.log`.
  private LogSource source(Path log) {
    var place = folder.resolve("pods").relativize(log);
    var pod = place.getName(0).toString().split("_", -1);
    return new LogSource(
        "c",
        folder.getFileName().toString(),
        pod[0],
        pod[1],
        pod[2],
        place.getName(1).toString(),
        job,
        log.toString());
  }
}
