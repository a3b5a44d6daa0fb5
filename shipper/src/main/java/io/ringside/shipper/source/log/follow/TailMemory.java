package io.ringside.shipper.source.log.follow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The entries of paths that are not followed now, and the writer of everyone's checkpoints. Not
/// thread-safe.
final class TailMemory {
  private static final Logger LOGGER = LoggerFactory.getLogger(TailMemory.class);

  private final Checkpoints checkpoints;
  private final TailContext context;
  private final Map<String, List<Checkpoints.Entry>> remembered = new HashMap<>();
  private List<Checkpoints.Entry> saved = List.of();
  private boolean saidUnsaved;

  TailMemory(Checkpoints checkpoints, TailContext context) {
    this.checkpoints = checkpoints;
    this.context = context;
  }

  /// Loads the state saved by the last run.
  void load() {
    try {
      var state = checkpoints.load();
      context.epochsUpTo(state.savedAtMillis());
      for (Checkpoints.Entry entry : state.files()) {
        context.epochsUpTo(entry.epoch());
        remembered.computeIfAbsent(entry.path(), _ -> new ArrayList<>()).add(entry);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read checkpoints: " + e.getMessage(), e);
    }
  }

  boolean knows(Path path) {
    return remembered.containsKey(path.toString());
  }

  /// Remembered paths that are not followed now.
  Set<String> paths() {
    return Set.copyOf(remembered.keySet());
  }

  /// Removes and returns the entries of a path that is followed from now on.
  List<Checkpoints.Entry> take(Path path) {
    var entries = remembered.remove(path.toString());
    return entries == null ? List.of() : entries;
  }

  /// Remembers the entries of a path that is not followed any more.
  void keep(Path path, FileTail tail) {
    var points = new ArrayList<Checkpoints.Entry>();
    tail.chain().checkpoint(points);
    remembered.put(path.toString(), points);
  }

  /// Writes all entries if something changed.
  void save(Iterable<FileTail> tails) {
    var entries = new ArrayList<Checkpoints.Entry>();
    tails.forEach(tail -> tail.chain().checkpoint(entries));
    remembered.values().forEach(entries::addAll);
    if (entries.equals(saved)) {
      return;
    }
    try {
      checkpoints.save(Math.max(context.clock().millis(), context.lastEpoch()), entries);
      saved = entries;
      saidUnsaved = false;
    } catch (IOException e) {
      context.files().checkpointFailures.increment();
      if (!saidUnsaved) {
        saidUnsaved = true;
        LOGGER
            .atError()
            .addKeyValue("reason", e.toString())
            .log("cannot write checkpoints, a restart would repeat lines");
      }
    }
  }
}
