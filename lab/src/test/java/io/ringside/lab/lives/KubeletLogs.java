package io.ringside.lab.lives;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What the bench's machines print, as files in a folder like `/var/log/pods`.
final class KubeletLogs {
  private final Path root;
  private final Map<String, Long> epochs = new HashMap<>();

  KubeletLogs(Path root) {
    this.root = root;
  }

  String glob() {
    return root + "/*/*/*.log";
  }

  /// Rotates, writes or deletes, as the bench's agent would have seen it.
  void take(LogChunk chunk) throws IOException {
    var source = chunk.source();
    var pod = "%s_%s_%s".formatted(source.namespace(), source.pod(), source.podUid());
    var folder = root.resolve(pod).resolve(source.container());
    if (chunk.end()) {
      delete(root.resolve(pod));
      return;
    }
    Files.createDirectories(folder);
    var log = folder.resolve("0.log");
    var before = epochs.put(pod, chunk.epoch());
    if (before != null && before != chunk.epoch()) {
      Files.move(log, folder.resolve("0.log.20261121-12000" + before));
    }
    var lines = new ArrayList<String>();
    var texts = chunk.text().toString().split("\n", -1);
    for (int i = 0; i < chunk.lines(); i++) {
      lines.add(Nanos.instant(chunk.timeNanos(i)) + " stdout F " + texts[i]);
    }
    Files.write(log, lines, CREATE, APPEND);
  }

  /// As logrotate's `copytruncate`: the log's lines are copied beside it, and it begins anew.
  void copyTruncate() throws IOException {
    for (var log : logs()) {
      Files.copy(log, log.resolveSibling("0.log.1"), REPLACE_EXISTING);
      Files.newByteChannel(log, WRITE, TRUNCATE_EXISTING).close();
    }
  }

  private List<Path> logs() throws IOException {
    try (var files = Files.walk(root)) {
      return files.filter(file -> file.endsWith("0.log")).sorted().toList();
    }
  }

  private static void delete(Path tree) throws IOException {
    try (var files = Files.walk(tree)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
