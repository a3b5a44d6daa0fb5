package io.ringside.shipper.source.log.follow;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.shipper.source.log.chunk.ChunkLimits;
import io.ringside.shipper.source.log.chunk.Lines;
import io.ringside.shipper.source.log.line.LineCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// A tailer whose time is moved by hand and whose broker answers when told to.
final class TailRig {
  final Path folder;
  final List<LogChunk> chunks = new ArrayList<>();
  final List<CompletableFuture<Void>> answers = new ArrayList<>();
  final LineCounts lines = new LineCounts();
  final TailCounts files = new TailCounts();
  boolean acks = true;
  Instant now = Instant.parse("2026-11-20T20:42:26Z");
  long ticks = 1;
  private List<String> globs;
  private final long budget;
  private LogTailer tailer;

  TailRig(Path folder, String... globs) {
    this(folder, 1 << 20, globs);
  }

  TailRig(Path folder, long budget, String... globs) {
    this.folder = folder;
    this.budget = budget;
    this.globs =
        List.of(globs).stream()
            .map(glob -> glob.startsWith("/") ? glob : folder + "/" + glob)
            .toList();
    this.tailer = create();
  }

  private LogTailer create() {
    var fresh =
        new LogTailer(
            "logs",
            TailSettings.of(globs),
            Lines::source,
            new Checkpoints(folder.resolve("state/checkpoints.json")),
            this::send,
            new ByteBudget(budget),
            lines,
            files,
            (InstantSource) () -> now,
            () -> ticks);
    fresh.load();
    return fresh;
  }

  private CompletableFuture<Void> send(LogChunk chunk) {
    chunks.add(chunk);
    var answer =
        acks ? CompletableFuture.<Void>completedFuture(null) : new CompletableFuture<Void>();
    answers.add(answer);
    return answer;
  }

  /// Lets time pass in steps of 100 ms, polling at each.
  TailRig pass(Duration time) {
    for (long left = time.toMillis(); left > 0; left -= 100) {
      now = now.plusMillis(100);
      ticks += 100_000_000;
      for (int i = 0; i < 100 && tailer.poll(); i++) {
        // a backlog is read at once
      }
    }
    return this;
  }

  TailRig second() {
    return pass(Duration.ofSeconds(1));
  }

  /// Other globs and limits, without a restart.
  TailRig change(ChunkLimits limits, String... newGlobs) {
    globs =
        List.of(newGlobs).stream()
            .map(glob -> glob.startsWith("/") ? glob : folder + "/" + glob)
            .toList();
    tailer.change(
        new TailSettings(globs, Duration.ofMillis(100), Duration.ofSeconds(1), limits),
        path -> {
          var source = Lines.source(path);
          return new LogSource(
              source.cluster(),
              source.node(),
              source.namespace(),
              source.pod(),
              source.podUid(),
              source.container(),
              "renamed",
              source.file());
        });
    return this;
  }

  /// The agent is killed and started again.
  TailRig killAndStart() {
    tailer = create();
    return this;
  }

  /// The agent ends properly and is started again.
  TailRig stopAndStart() {
    tailer.close();
    return killAndStart();
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  TailRig write(String name, String text) throws IOException {
    Path file = file(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return this;
  }

  TailRig rename(String from, String to) throws IOException {
    Files.move(file(from), file(to));
    return this;
  }

  /// Every line shipped so far, repeats as well.
  List<String> text() {
    return Lines.ofChunks(chunks, lines).text();
  }

  /// Lines as a careful reader keeps them: those before the end of what it has are repeats.
  List<String> distinctText() {
    var kept = new ArrayList<String>();
    var seen = new java.util.HashMap<String, Long>();
    for (LogChunk chunk : chunks) {
      String key = chunk.source().id() + chunk.epoch();
      long has = seen.getOrDefault(key, 0L);
      if (chunk.firstOffset() > has) {
        throw new AssertionError("gap before " + chunk);
      }
      String[] text = chunk.text().toString().split("\n", -1);
      for (int i = 0; i < chunk.lines(); i++) {
        if (chunk.offset(i) >= has) {
          kept.add(text[i]);
        }
      }
      seen.put(key, Math.max(has, chunk.nextOffset()));
    }
    return kept;
  }

  List<Long> epochs() {
    return chunks.stream().map(LogChunk::epoch).distinct().toList();
  }
}
