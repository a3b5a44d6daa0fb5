package io.ringside.shipper.source.log.follow;

import io.ringside.schemas.event.LogSource;
import io.ringside.shipper.source.log.file.FileIdentity;
import io.ringside.shipper.source.log.file.OpenedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The files that a path has led to one after another, oldest first, and those already finished.
/// Not thread-safe.
final class Chain {
  /// Number of finished files remembered, so that they are recognised if a glob finds them under a
  /// new name.
  private static final int REMEMBERED = 5;

  private final Path path;
  private LogSource source;
  private final TailContext context;
  private final Deque<Incarnation> files = new ArrayDeque<>();
  private final Deque<Checkpoints.Entry> done = new ArrayDeque<>();

  Chain(Path path, TailContext context, List<Checkpoints.Entry> known) {
    this.path = path;
    this.source = context.sources().apply(path);
    this.context = context;
    for (Checkpoints.Entry entry : known) {
      if (entry.done()) {
        done.addLast(entry);
      }
    }
  }

  Path path() {
    return path;
  }

  /// Applies changed settings: the files' source and the line length limit.
  void change() {
    source = context.sources().apply(path);
    files.forEach(file -> file.change(source, context.settings().limits()));
  }

  @Nullable Incarnation oldest() {
    return files.peekFirst();
  }

  @Nullable Incarnation newest() {
    return files.peekLast();
  }

  int size() {
    return files.size();
  }

  boolean isEmpty() {
    return files.isEmpty();
  }

  /// Adds a file that was never read.
  Incarnation addFresh(OpenedFile opened, long now) {
    return add(context.nextEpoch(), Deliveries.Point.START, opened, now);
  }

  /// Adds a file that was read up to a checkpoint.
  Incarnation addResumed(Checkpoints.Entry entry, OpenedFile opened, long now) {
    done.remove(entry);
    return add(entry.epoch(), entry.point(), opened, now);
  }

  private Incarnation add(long epoch, Deliveries.Point start, OpenedFile opened, long now) {
    var limits = context.settings().limits();
    var file = new Incarnation(source, epoch, start, opened, limits, context.lines());
    file.size(opened.size(), now);
    file.grownAt = now;
    files.addLast(file);
    context.files().files.incrementAndGet();
    return file;
  }

  /// Forgets a file of which nothing was read.
  void dropNewest() throws IOException {
    Incarnation file = files.removeLast();
    context.files().files.decrementAndGet();
    file.close();
  }

  /// Moves the oldest file to the finished ones, once it is read and safe with the broker.
  void oldestIsDone() throws IOException {
    Incarnation file = files.removeFirst();
    context.files().files.decrementAndGet();
    done.addLast(file.entry());
    while (done.size() > REMEMBERED) {
      done.removeFirst();
    }
    file.close();
  }

  /// The entry of a finished file that is the same as this one: it was moved away and back, or it
  /// is compressed and still there.
  Optional<Checkpoints.Entry> doneBefore(OpenedFile opened) throws IOException {
    byte[] head = new byte[FileIdentity.HEAD];
    int available = opened.bytes().read(head, 0);
    return done.stream()
        .filter(entry -> entry.key().equals(opened.identity().key()) && entry.length() > 0)
        .filter(entry -> entry.identity().beginsLike(head, available))
        .filter(entry -> opened.isPacked() || opened.size() >= entry.offset())
        .findFirst();
  }

  boolean owns(String key) {
    return files.stream().anyMatch(file -> file.identity().key().equals(key))
        || done.stream().anyMatch(entry -> entry.key().equals(key));
  }

  /// Adds the device and inode of each current and finished file.
  void addKeys(Set<String> into) {
    files.forEach(file -> into.add(file.identity().key()));
    done.forEach(entry -> into.add(entry.key()));
  }

  /// Whether one of the files begins like this, so that this is a rotated copy of it.
  boolean knowsContent(byte[] head, int available) {
    return files.stream().anyMatch(file -> isCopy(file.identity(), head, available))
        || done.stream().anyMatch(entry -> isCopy(entry.identity(), head, available));
  }

  private static boolean isCopy(FileIdentity identity, byte[] head, int available) {
    return identity.isTelling() && identity.beginsLike(head, available);
  }

  /// Whether a later file has content or has itself been replaced.
  boolean hasMoreAfter(Incarnation file) {
    return files.stream()
        .dropWhile(other -> !other.equals(file))
        .skip(1)
        .anyMatch(other -> other.size() > 0 || other.superseded);
  }

  /// Bytes not yet safe with the broker.
  long lag() {
    long lag = 0;
    for (Incarnation file : files) {
      if (!file.isPacked()) {
        lag += Math.max(0, file.size() - file.deliveries().safe().offset());
      }
    }
    return lag;
  }

  /// Adds the entries to remember over a restart, oldest first.
  void checkpoint(List<Checkpoints.Entry> into) {
    into.addAll(done);
    for (Incarnation file : files) {
      into.add(file.entry());
    }
  }

  void close() throws IOException {
    while (!files.isEmpty()) {
      context.files().files.decrementAndGet();
      files.removeFirst().close();
    }
  }
}
