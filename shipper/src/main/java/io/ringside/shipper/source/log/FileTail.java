package io.ringside.shipper.source.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows one path.
///
/// ```text
///   path ──► newest file          rename: the path leads elsewhere, the old file stays open
///            ⋮  (waiting)         truncate: same file, begins anew; its copy, if any, is read out
///            oldest ──► chunks    delete: read to the end, then the source ends
/// ```
///
/// {@link PathWatch} adds files to the {@link Chain}, {@link ChainShipper} takes them off. Not
/// thread-safe.
final class FileTail {
  private static final Logger LOGGER = LoggerFactory.getLogger(FileTail.class);

  private final Path path;
  private final TailContext context;
  private final Chain chain;
  private final PathWatch watch;
  private final ChainShipper shipper;
  private long nextLook = Long.MIN_VALUE;
  private boolean reportedUnreadable;

  /// @param known what the last run remembered of this path
  FileTail(Path path, TailContext context, List<Checkpoints.Entry> known) {
    this.path = path;
    this.context = context;
    this.chain = new Chain(path, context, known);
    this.watch = new PathWatch(chain, context);
    this.shipper = new ChainShipper(chain, watch, context);
    var unfinished = known.stream().filter(entry -> !entry.done()).toList();
    if (!unfinished.isEmpty()) {
      watch.resume(unfinished, context.ticker().getAsLong());
    }
  }

  /// Adds the device and inode of each file that is or was one of ours.
  void addKeys(Set<String> into) {
    chain.addKeys(into);
  }

  /// Whether one of the files read here begins like this: a rotated copy of it.
  boolean knowsContent(byte[] head, int available) {
    return chain.knowsContent(head, available);
  }

  /// Nothing is left to read and the path leads nowhere.
  boolean isOver() {
    return chain.isEmpty() && !Files.exists(path);
  }

  /// Bytes that are not yet safe with the broker.
  long lag() {
    return chain.lag();
  }

  /// What to remember over a restart, oldest first.
  void checkpoint(List<Checkpoints.Entry> into) {
    chain.checkpoint(into);
  }

  /// When it should be looked at next, by the ticker.
  long nextLook() {
    return nextLook;
  }

  /// Looks which file is at the path, and says whether a new one is. It is read only after that was
  /// remembered, or a crash would make a third of it.
  ///
  /// @param bornAfter the ticker's time at which the path was known not to exist, else
  ///     {@link Incarnation#NEVER}
  boolean look(long now, long bornAfter) {
    int before = chain.size();
    Incarnation newestBefore = chain.newest();
    try {
      watch.look(now);
    } catch (IOException e) {
      failed(e, now);
    }
    Incarnation newest = chain.newest();
    if (before == 0 && newest != null) {
      newest.atEndAt = bornAfter;
    }
    return newest != null && !newest.equals(newestBefore);
  }

  /// Ships what there is, and says whether there is more at once.
  boolean read(long now) {
    nextLook = now;
    try {
      if (shipper.ship(now)) {
        return true;
      }
      reportedUnreadable = false;
      if (!context.budget().spent()) {
        nextLook = now + pause(now);
      }
    } catch (IOException e) {
      failed(e, now);
    }
    return false;
  }

  private void failed(IOException e, long now) {
    context.files().readFailures.increment();
    nextLook = now + context.settings().scan().toNanos();
    if (!reportedUnreadable) {
      reportedUnreadable = true;
      LOGGER
          .atWarn()
          .addKeyValue("file", path)
          .addKeyValue("reason", e.toString())
          .log("cannot read log file, trying again");
    }
  }

  /// A file is looked at less often the longer it has been quiet.
  private long pause(long now) {
    long poll = context.settings().poll().toNanos();
    Incarnation oldest = chain.oldest();
    if (oldest == null || chain.size() > 1) {
      return poll;
    }
    long quiet = chain.isEmpty() ? 0 : now - chain.peekFirst().grownAt;
    return Math.max(poll, Math.min(10 * poll, quiet / 10));
  }

  // -- which file is there ---------------------------------------------------------------------

  private void lookAtPath(long now) throws IOException {
    var there = attributes();
    Incarnation newest = chain.peekLast();
    if (there == null) {
      if (newest != null && !newest.superseded) {
        supersede(newest, now);
      }
    } else if (newest == null) {
      begin(there, "", now);
    } else if (newest.superseded || !newest.identity().key().equals(Incarnation.key(there))) {
      context.files().rotations.increment();
      if (!newest.superseded) {
        supersede(newest, now);
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

  /// Starts with the file that the path leads to now, unless it was read out before. Only when it is
  /// open are the files looked for that came between it and the one before: the other way round one
  /// could slip through.
  ///
  /// @param previousKey the file that was at the path before, or empty
  private void begin(BasicFileAttributes there, String previousKey, long now) throws IOException {
    if (Incarnation.key(there).equals(finishedKey)) {
      return;
    }
    Incarnation.Opened opened;
    try {
      opened = Incarnation.Opened.at(path);
    } catch (NoSuchFileException e) {
      return;
    }
    var before = doneBefore(opened);
    if (before.isPresent() && opened.isPacked()) {
      finishedKey = Incarnation.key(there);
      opened.bytes().close();
      return;
    }
    if (before.isPresent()) {
      done.remove(before.get());
      resumeWith(before.get(), opened, now);
      return;
    }
    if (!previousKey.isEmpty()) {
      adoptMissed(Siblings.of(path), previousKey, opened.identity().key(), now);
    }
    add(
        Incarnation.fresh(
            source, nextEpoch(), opened, context.settings().limits(), context.lines()),
        opened.size(),
        now);
  }

  /// A file that was moved away and back, or a compressed one that is still there.
  private Optional<Checkpoints.Entry> doneBefore(Incarnation.Opened opened) throws IOException {
    byte[] head = new byte[FileIdentity.HEAD];
    int available = opened.bytes().read(head, 0);
    boolean packed = opened.isPacked();
    return done.stream()
        .filter(entry -> entry.key().equals(opened.identity().key()) && entry.length() > 0)
        .filter(entry -> entry.identity().beginsLike(head, available))
        .filter(entry -> packed || opened.size() >= entry.offset())
        .findFirst();
  }

  private void resumeWith(Checkpoints.Entry entry, Incarnation.Opened opened, long now) {
    add(
        Incarnation.resumed(source, entry, opened, context.settings().limits(), context.lines()),
        opened.size(),
        now);
  }

  private void add(Incarnation file, long size, long now) {
    file.size(size, now);
    file.grownAt = now;
    chain.addLast(file);
    context.files().files.incrementAndGet();
  }

  private static void supersede(Incarnation file, long now) {
    file.superseded = true;
    file.supersededAt = now;
  }

  /// Epochs grow even if the checkpoints are lost: they follow the clock.
  private long nextEpoch() {
    lastEpoch = Math.max(lastEpoch + 1, context.clock().millis());
    return lastEpoch;
  }

  /// The file was emptied in place. What was not read yet is in its copy, if one was made.
  private void truncated(Incarnation file, BasicFileAttributes there, long now) throws IOException {
    if (file.size() == 0 && !file.announced) {
      chain.removeLast();
      context.files().files.decrementAndGet();
      file.close();
      begin(there, "", now);
      return;
    }
    context.files().truncations.increment();
    long unread = Math.max(0, file.size() - file.deliveries().safe().offset());
    supersede(file, now);
    var copy = Siblings.of(path).findCopy(file.identity());
    if (copy.isPresent()) {
      file.continueWith(copy.get().opened().bytes());
    } else {
      file.close();
      file.finished = true;
      context.files().bytesLeftBehind.add(unread);
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

  /// The newest file began when this one ended, so its first lines are live if read soon.
  private void follows(Incarnation before) {
    Incarnation newest = chain.peekLast();
    if (newest != null && newest != before) {
      newest.atEndAt = before.supersededAt - 1;
    }
  }

  // -- after a restart -------------------------------------------------------------------------

  /// Finds the files of the checkpoints again, under this path or beside it, and those that came
  /// and went meanwhile.
  private void resume(List<Checkpoints.Entry> entries) {
    if (entries.isEmpty()) {
      return;
    }
    long now = context.ticker().getAsLong();
    Siblings siblings = Siblings.of(path);
    String lastKey = "";
    boolean reachedPath = false;
    var ordered =
        entries.stream().sorted(Comparator.comparingLong(Checkpoints.Entry::epoch)).toList();
    for (Checkpoints.Entry entry : ordered) {
      if (resumeInPlace(entry, now)) {
        reachedPath = true;
        continue;
      }
      var found = siblings.find(entry.identity());
      if (found.isEmpty()) {
        reportLost(entry);
        continue;
      }
      resumeWith(entry, found.get().opened(), now);
      supersede(chain.getLast(), now);
      lastKey = found.get().sibling().key();
    }
    if (!reachedPath && !lastKey.isEmpty()) {
      adoptMissed(siblings, lastKey, keyAtPath(), now);
    }
  }

  private boolean resumeInPlace(Checkpoints.Entry entry, long now) {
    Incarnation.Opened opened = null;
    try {
      opened = Incarnation.Opened.at(path);
      var identity = opened.identity();
      byte[] head = new byte[FileIdentity.HEAD];
      int available = opened.bytes().read(head, 0);
      if (identity.key().equals(entry.key())
          && entry.identity().beginsLike(head, available)
          && (ByteSource.isGzip(path) || opened.size() >= entry.resume())) {
        resumeWith(entry, opened, now);
        return true;
      }
      opened.bytes().close();
    } catch (IOException ignored) {
      // it is looked for beside the path
    }
    return false;
  }

  private void reportLost(Checkpoints.Entry entry) {
    LOGGER
        .atWarn()
        .addKeyValue("file", path)
        .addKeyValue("offset", entry.offset())
        .log("log file is gone since the last run, what was unread of it is lost");
  }

  /// Files that were at the path after the first and before the second of these, and were renamed
  /// before they were seen.
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
      if (owns(missed.key())) {
        continue;
      }
      try {
        var opened = Incarnation.Opened.at(missed.path());
        var file =
            Incarnation.fresh(
                source, nextEpoch(), opened, context.settings().limits(), context.lines());
        supersede(file, now - OVERLAP_NANOS);
        add(file, opened.size(), now);
        context.files().rotations.increment();
      } catch (IOException e) {
        context.files().bytesLeftBehind.add(missed.size());
      }
    }
  }

  private String keyAtPath() {
    try {
      var there = attributes();
      return there == null ? "" : Incarnation.key(there);
    } catch (IOException e) {
      return "";
    }
  }

  // -- reading ---------------------------------------------------------------------------------

  private boolean readChain(long now) throws IOException {
    while (!chain.isEmpty()) {
      Incarnation file = chain.peekFirst();
      if (now < retryAt) {
        return false;
      }
      if (file.deliveries().failed()) {
        rewind(file);
        retryAt = now + retryPause;
        retryPause = Math.min(2 * retryPause, LAST_RETRY_NANOS);
        return false;
      }
      if (file.deliveries().settled()) {
        retryPause = FIRST_RETRY_NANOS;
      }
      if (!file.finished) {
        announce(file);
        if (readOn(file, now)) {
          return true;
        }
        if (!isThrough(file, now)) {
          return false;
        }
        finish(file);
      }
      if (!file.deliveries().settled() || file.deliveries().failed()) {
        return false;
      }
      remember(file);
    }
    return false;
  }

  private void announce(Incarnation file) {
    if (!file.announced) {
      file.announced = true;
      send(file, file.reader().announcement(context.work(), context.clock().instant()));
    }
  }

  /// Reads up to the end, the budget, or this round's share; true if there is more at once.
  private boolean readOn(Incarnation file, long now) throws IOException {
    boolean packed = file.isPacked();
    if (file.superseded && !packed) {
      file.size(file.openSize(), now);
    }
    if (!packed && file.size() <= file.reader().position()) {
      file.atEndAt = now;
      return false;
    }
    boolean barsDue = now - file.grownAt >= BAR_NANOS && !file.barsTried;
    boolean grown = file.grownAt > file.atEndAt || file.atEndAt == Incarnation.NEVER;
    if (!barsDue && !grown) {
      file.atEndAt = now;
      return false;
    }
    file.barsTried |= barsDue;
    boolean live = now - file.atEndAt <= LIVE_NANOS;
    for (int i = 0; i < BUFFERS_A_ROUND; i++) {
      if (context.budget().spent() || file.deliveries().failed()) {
        return false;
      }
      long before = file.reader().position();
      var found =
          file.reader()
              .read(
                  file.bytes(),
                  context.work(),
                  barsDue ? LineDecoder.Flush.BARS : LineDecoder.Flush.NONE,
                  context.clock().instant(),
                  live,
                  chunk -> send(file, chunk));
      context.files().bytes.add(file.reader().position() - before);
      if (found == ChunkReader.Found.END) {
        file.atEndAt = now;
        return false;
      }
    }
    return true;
  }

  /// Whether an old file has nothing more to give: it is read out, quiet, and its writer has begun
  /// the next one or had the time to.
  private boolean isThrough(Incarnation file, long now) {
    if (!file.superseded) {
      return ByteSource.isGzip(path) && file.atEndAt == now;
    }
    if (context.budget().spent() || file.atEndAt != now) {
      return false;
    }
    long replaced = now - file.supersededAt;
    long quiet = now - file.grownAt;
    boolean successorHasText =
        chain.stream().anyMatch(other -> other != file && (other.size() > 0 || other.superseded));
    return successorHasText
        ? replaced >= OVERLAP_NANOS && quiet >= QUIET_NANOS
        : replaced >= REOPEN_NANOS && quiet >= REOPEN_NANOS;
  }

  /// Takes what has no line end, and says so if the source ends.
  private void finish(Incarnation file) throws IOException {
    var now = context.clock().instant();
    file.reader()
        .read(
            file.bytes(),
            context.work(),
            LineDecoder.Flush.ALL,
            now,
            false,
            chunk -> {
              send(file, chunk);
              return true;
            });
    boolean ends = chain.size() == 1 && (!file.superseded || attributes() == null);
    var last = file.reader().closing(context.work(), now, ends);
    if (ends || last.lines() > 0) {
      send(file, last);
    }
    file.finished = true;
  }

  private void remember(Incarnation file) throws IOException {
    chain.removeFirst();
    context.files().files.decrementAndGet();
    done.addLast(file.entry());
    while (done.size() > REMEMBERED) {
      done.removeFirst();
    }
    file.close();
  }

  private void rewind(Incarnation file) throws IOException {
    context.files().rewinds.increment();
    long sent = file.reader().nextOffset();
    file.rewind();
    if (!file.isOpen()) {
      var copy = Siblings.of(path).findCopy(file.identity());
      if (copy.isPresent()) {
        file.continueWith(copy.get().opened().bytes());
      } else {
        context.files().bytesLeftBehind.add(sent - file.reader().nextOffset());
        file.finished = true;
      }
    } else if (file.isPacked()) {
      file.continueWith(ByteSource.open(path));
    }
  }

  private boolean send(Incarnation file, EncodedChunk chunk) {
    var reader = file.reader();
    var deliveries = file.deliveries();
    var sent =
        deliveries.sent(
            new Deliveries.Point(
                reader.resumeOffset(), reader.nextOffset(), reader.nextSequence()));
    long cost = cost(chunk);
    context.budget().take(cost);
    context.files().chunks.increment();
    try {
      var _ =
          context
              .outlet()
              .send(chunk)
              .whenComplete(
                  (_, failure) -> {
                    deliveries.answered(sent, failure == null);
                    context.budget().giveBack(cost);
                  });
    } catch (RuntimeException e) {
      deliveries.answered(sent, false);
      context.budget().giveBack(cost);
    }
    return !context.budget().spent() && !deliveries.failed();
  }

  /// About what a chunk takes in memory until it is acknowledged.
  private static long cost(EncodedChunk chunk) {
    return 500L + chunk.json().length;
  }

  void close() {
    try {
      chain.close();
    } catch (IOException e) {
      LOGGER.atDebug().addKeyValue("file", path).setCause(e).log("cannot close log file");
    }
  }
}
