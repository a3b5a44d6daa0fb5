package io.ringside.shipper.source.log.follow;

import io.ringside.shipper.source.log.file.FileIdentity;
import io.ringside.shipper.source.log.file.JoinedBytes;
import io.ringside.shipper.source.log.file.OpenedFile;
import io.ringside.shipper.source.log.find.Siblings;
import io.ringside.shipper.source.log.find.Siblings.Sibling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Detects which file a path leads to: renames, deletions, truncations, and, after a restart, where
/// the files of the last run are now. Not thread-safe.
final class PathWatch {
  private static final Logger LOGGER = LoggerFactory.getLogger(PathWatch.class);

  /// Assumed time since the replacement of a file found beside the path. It was replaced before it
  /// was seen, so its writer has moved on.
  private static final long LONG_AGO_NANOS = Duration.ofSeconds(1).toNanos();

  private final Path path;
  private final Chain chain;
  private final TailContext context;

  /// Key of a compressed file that was read and is still there.
  private String finishedKey = "";

  PathWatch(Chain chain, TailContext context) {
    this.path = chain.path();
    this.chain = chain;
    this.context = context;
  }

  /// Whether there is no file at the path now.
  boolean leadsNowhere() throws IOException {
    return attributes() == null;
  }

  /// Checks the path once.
  void look(long now) throws IOException {
    var there = attributes();
    Incarnation newest = chain.newest();
    if (there == null) {
      if (newest != null && !newest.superseded) {
        newest.supersede(now);
      }
    } else if (newest == null) {
      begin(there, "", now);
    } else if (newest.superseded || !newest.identity().key().equals(FileIdentity.key(there))) {
      context.files().rotations.increment();
      if (!newest.superseded) {
        newest.supersede(now);
      }
      begin(there, newest.identity().key(), now);
      follows(newest);
    } else if (there.size() != newest.size()) {
      if (there.size() < newest.reader().position() || !newest.stillItself()) {
        truncated(newest, there, now);
      } else {
        newest.size(there.size(), now);
      }
    }
  }

  private @Nullable BasicFileAttributes attributes() throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class);
    } catch (NoSuchFileException | NotDirectoryException e) {
      return null;
    }
  }

  /// Starts with the file at the path now, unless it was already read to the end. Opens it first
  /// and only then looks for files between it and the previous one; in the other order a file could
  /// be missed.
  ///
  /// @param previousKey key of the file that was at the path before, or empty
  private void begin(BasicFileAttributes there, String previousKey, long now) throws IOException {
    if (FileIdentity.key(there).equals(finishedKey)) {
      return;
    }
    OpenedFile opened;
    try {
      opened = OpenedFile.at(context.roots().file(path));
    } catch (NoSuchFileException e) {
      return;
    }
    var before = chain.doneBefore(opened);
    if (before.isPresent() && opened.isPacked()) {
      finishedKey = FileIdentity.key(there);
      opened.bytes().close();
    } else if (before.isPresent()) {
      chain.addResumed(before.get(), opened, now);
    } else {
      if (!previousKey.isEmpty()) {
        adoptMissed(Siblings.of(path, context.roots()), previousKey, opened.identity().key(), now);
      }
      chain.addFresh(opened, now);
    }
  }

  /// Marks the newest file as begun when the given one ended, so that its first lines are live if
  /// read soon.
  private void follows(Incarnation before) {
    Incarnation newest = chain.newest();
    if (newest != null && !newest.equals(before)) {
      newest.atEndAt = before.supersededAt - 1;
    }
  }

  /// Handles a file emptied in place. Bytes not yet read are in its copy, if one was made.
  private void truncated(Incarnation file, BasicFileAttributes there, long now) throws IOException {
    if (file.size() == 0 && !file.announced) {
      chain.dropNewest();
      begin(there, "", now);
      return;
    }
    context.files().truncations.increment();
    file.supersede(now);
    var copy = Siblings.of(path, context.roots()).findCopy(file.identity());
    if (copy.isPresent()) {
      file.continueWith(copy.get().opened().bytes());
    } else {
      file.close();
      file.finished = true;
      context
          .files()
          .bytesLeftBehind
          .add(Math.max(0, file.size() - file.deliveries().safe().offset()));
    }
    LOGGER
        .atInfo()
        .addKeyValue("file", path)
        .addKeyValue("offset", file.reader().position())
        .addKeyValue("copy", copy.map(found -> found.sibling().path().toString()).orElse("none"))
        .log("log file was truncated, reading from the start");
    begin(there, copy.map(found -> found.sibling().key()).orElse(""), now);
    follows(file);
  }

  /// Finds the files of the last run, at this path or beside it, and those that came and went
  /// meanwhile. The files beside the path are listed only after a file was found missing at the
  /// path: a list made earlier would lack a file that is moved in between.
  void resume(List<Checkpoints.Entry> entries, long now) {
    String lastKey = "";
    boolean reachedPath = false;
    var ordered =
        entries.stream().sorted(Comparator.comparingLong(Checkpoints.Entry::epoch)).toList();
    for (Checkpoints.Entry entry : ordered) {
      if (resumeInPlace(entry, now)) {
        reachedPath = true;
        continue;
      }
      var found = beside(entry).or(() -> beside(entry)); // again, as it may be compressed meanwhile
      if (found.isEmpty()) {
        LOGGER
            .atWarn()
            .addKeyValue("file", path)
            .addKeyValue("offset", entry.offset())
            .log("log file is gone since the last run, what was unread of it is lost");
        continue;
      }
      chain.addResumed(entry, found.get().opened(), now).supersede(now);
      lastKey = found.get().sibling().key();
    }
    if (!reachedPath && !lastKey.isEmpty()) {
      String keyAtPath = keyAtPath();
      adoptMissed(Siblings.of(path, context.roots()), lastKey, keyAtPath, now);
    }
    if (chain.isEmpty() && isGone()) {
      end(ordered.getLast(), now);
    }
  }

  private boolean isGone() {
    try {
      return leadsNowhere();
    } catch (IOException e) {
      return false; // unknown
    }
  }

  /// Ends the log of a pod that was deleted while no agent ran; nothing else reports this end. Uses
  /// a new epoch, since more may have been sent than was remembered.
  private void end(Checkpoints.Entry last, long now) {
    chain
        .addFresh(new OpenedFile(new JoinedBytes(List.of()), last.identity(), 0), now)
        .supersede(now);
  }

  private Optional<Siblings.Found> beside(Checkpoints.Entry entry) {
    return Siblings.of(path, context.roots()).find(entry.identity());
  }

  private boolean resumeInPlace(Checkpoints.Entry entry, long now) {
    try {
      var opened = OpenedFile.at(context.roots().file(path));
      byte[] head = new byte[FileIdentity.HEAD];
      int available = opened.bytes().read(head, 0);
      if (opened.identity().key().equals(entry.key())
          && entry.identity().beginsLike(head, available)
          && (opened.isPacked() || opened.size() >= entry.resume())) {
        chain.addResumed(entry, opened, now);
        return true;
      }
      opened.bytes().close();
    } catch (IOException ignored) {
      // it is searched for beside the path
    }
    return false;
  }

  /// Adds files that were at the path after the first of these keys and before the second, and were
  /// renamed before they were seen.
  private void adoptMissed(Siblings siblings, String lastKey, String nextKey, long now) {
    Optional<Sibling> last =
        siblings.files().stream().filter(file -> file.key().equals(lastKey)).findFirst();
    if (last.isEmpty()) {
      return;
    }
    for (Sibling missed : siblings.after(last.get())) {
      if (missed.key().equals(nextKey)) {
        return;
      }
      if (chain.owns(missed.key())) {
        continue;
      }
      try {
        chain
            .addFresh(OpenedFile.at(context.roots().file(missed.path())), now)
            .supersede(now - LONG_AGO_NANOS);
        context.files().rotations.increment();
      } catch (IOException e) {
        context.files().bytesLeftBehind.add(missed.size());
      }
    }
  }

  private String keyAtPath() {
    try {
      var there = attributes();
      return there == null ? "" : FileIdentity.key(there);
    } catch (IOException e) {
      return "";
    }
  }
}
