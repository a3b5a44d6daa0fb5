package io.ringside.shipper.source.log.follow;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.shipper.source.Source;
import io.ringside.shipper.source.log.file.ByteSource;
import io.ringside.shipper.source.log.file.FileIdentity;
import io.ringside.shipper.source.log.find.LogFiles;
import io.ringside.shipper.source.log.find.Siblings;
import io.ringside.shipper.source.log.line.LineCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows all files that match the globs, from their beginning or from where the last run stopped.
/// One thread reads them in turn. A checkpoint is written once a second if something changed.
public final class LogTailer implements Source {
  private static final Logger LOGGER = LoggerFactory.getLogger(LogTailer.class);
  private static final long CHECKPOINT_NANOS = Duration.ofSeconds(1).toNanos();
  private static final Duration END = Duration.ofSeconds(5);

  private final String name;
  private final TailContext context;
  private LogFiles globs;
  private final TailMemory memory;
  private final TailNotes notes;
  private final AtomicReference<@Nullable Change> change = new AtomicReference<>();
  private final List<FileTail> due = new ArrayList<>();
  private final Map<Path, FileTail> tails = new TreeMap<>();
  private @Nullable Thread thread;
  private volatile boolean stopping;
  private volatile long beat;
  private long nextScan = Long.MIN_VALUE;
  private long lastScan = Incarnation.NEVER;
  private long nextCheckpoint = Long.MIN_VALUE;

  private record Change(TailSettings settings, Function<Path, LogSource> sources) {}

  /// @param name name of the source
  /// @param sources returns the source that a file belongs to
  /// @param outlet takes a chunk and may complete its future on any thread: normally once the chunk
  ///     need not be sent again, exceptionally if it must be
  /// @param ticker nanoseconds that never jump, as {@link System#nanoTime}
  public LogTailer(
      String name,
      TailSettings settings,
      Function<Path, LogSource> sources,
      Checkpoints checkpoints,
      Function<LogChunk, CompletableFuture<Void>> outlet,
      ByteBudget budget,
      LineCounts lines,
      TailCounts files,
      InstantSource clock,
      LongSupplier ticker) {
    this.name = name;
    this.context = new TailContext(settings, sources, outlet, budget, lines, files, clock, ticker);
    this.globs = new LogFiles(settings.globs(), clock);
    this.memory = new TailMemory(checkpoints, context);
    this.notes = new TailNotes(budget, files);
    this.beat = ticker.getAsLong();
  }

  @Override
  public void start() {
    load();
    thread = Thread.ofPlatform().name("log-tailer").start(this::run);
  }

  /// Reads the checkpoints. Call it before the first {@link #poll} if you poll instead of starting
  /// the thread.
  public void load() {
    memory.load();
  }

  /// Sets other globs, patterns and limits, effective from the next poll. Files being read are read
  /// on. A file that no glob matches any more is closed, but remembered in case a glob matches it
  /// again. May be called from any thread.
  public void change(TailSettings settings, Function<Path, LogSource> sources) {
    change.set(new Change(settings, sources));
  }

  private void run() {
    while (!stopping) {
      boolean more = false;
      try {
        more = poll();
      } catch (RuntimeException e) {
        LOGGER.atError().setCause(e).log("tailing failed, going on");
      }
      if (!more && !stopping) {
        rest();
      }
    }
  }

  private void rest() {
    try {
      long poll = context.settings().poll().toNanos();
      if (context.budget().spent()) {
        context.budget().awaitRoom(poll);
      } else {
        LockSupport.parkNanos(this, poll);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stopping = true;
    }
  }

  /// Looks once at everything that is due. Returns true if there is more to read at once.
  public boolean poll() {
    long now = context.ticker().getAsLong();
    beat = now;
    applyChange();
    boolean newFile = false;
    if (now >= nextScan) {
      newFile = scan(now);
      nextScan = now + context.settings().scan().toNanos();
    }
    due.clear();
    for (FileTail tail : tails.values()) {
      if (now >= tail.nextLook()) {
        due.add(tail);
        newFile |= tail.look(now, Incarnation.NEVER);
      }
    }
    if (newFile) {
      memory.save(tails.values());
    }
    boolean more = false;
    for (FileTail tail : due) {
      more |= tail.read(now);
    }
    long lag = 0;
    for (FileTail tail : tails.values()) {
      lag += tail.chain().lag();
    }
    notes.note(lag, now);
    if (now >= nextCheckpoint) {
      memory.save(tails.values());
      nextCheckpoint = now + CHECKPOINT_NANOS;
    }
    return more;
  }

  private void applyChange() {
    Change wanted = change.getAndSet(null);
    if (wanted == null) {
      return;
    }
    if (!wanted.settings.globs().equals(context.settings().globs())) {
      globs = new LogFiles(wanted.settings.globs(), context.clock());
      letGo(globs.list());
    }
    context.change(wanted.settings, wanted.sources);
    tails.values().forEach(FileTail::change);
    nextScan = Long.MIN_VALUE;
  }

  /// Closes files that no glob matches any more. A file that is gone from its path is still read to
  /// its end.
  private void letGo(Set<Path> wanted) {
    for (Iterator<Map.Entry<Path, FileTail>> all = tails.entrySet().iterator(); all.hasNext(); ) {
      var entry = all.next();
      if (!wanted.contains(entry.getKey()) && Files.exists(entry.getKey())) {
        memory.keep(entry.getKey(), entry.getValue());
        entry.getValue().close();
        all.remove();
      }
    }
  }

  private boolean scan(long now) {
    boolean newFile = false;
    Set<String> owned = null;
    for (Path path : globs.list()) {
      if (tails.containsKey(path)) {
        continue;
      }
      if (owned == null) {
        owned = new HashSet<>();
        for (FileTail tail : tails.values()) {
          tail.chain().addKeys(owned);
        }
      }
      if (isNew(path, owned)) {
        var tail = new FileTail(path, context, memory.take(path));
        tails.put(path, tail);
        tail.look(now, lastScan);
        newFile = true;
        tail.chain().addKeys(owned);
      }
    }
    for (Iterator<FileTail> all = tails.values().iterator(); all.hasNext(); ) {
      if (all.next().isOver()) {
        all.remove();
      }
    }
    if (lastScan == Incarnation.NEVER) {
      newFile |= resumeVanished();
    }
    lastScan = now;
    return newFile;
  }

  /// Whether this is a regular file that is not being read under another name.
  private boolean isNew(Path path, Set<String> owned) {
    try {
      var attributes = Files.readAttributes(path, BasicFileAttributes.class);
      String key = FileIdentity.key(attributes);
      return attributes.isRegularFile()
          && !owned.contains(key)
          && !(looksRotated(path) && (attributes.size() == 0 || isCopy(path)));
    } catch (IOException e) {
      return false;
    }
  }

  private boolean looksRotated(Path path) {
    return Siblings.looksRotated(path)
        || tails.keySet().stream().anyMatch(log -> Siblings.rotatedFrom(log, path));
  }

  /// Whether the file holds content that is or was read under another name. An empty rotated file
  /// may be a copy in the making, since a copy is created before it is filled.
  private boolean isCopy(Path path) {
    if (memory.knows(path)) {
      return false;
    }
    try (ByteSource bytes = ByteSource.openUnlinked(context.roots().file(path))) {
      byte[] head = new byte[FileIdentity.HEAD];
      int available = bytes.read(head, 0);
      return tails.values().stream().anyMatch(tail -> tail.chain().knowsContent(head, available));
    } catch (IOException e) {
      return false;
    }
  }

  /// Continues files that were being read when the last run ended and are gone from their path: the
  /// rest may be in a file beside it.
  private boolean resumeVanished() {
    boolean any = false;
    for (String path : memory.paths()) {
      if (Files.exists(Path.of(path))) {
        continue; // no glob matches it any more
      }
      var entries = memory.take(Path.of(path));
      if (entries.stream().anyMatch(entry -> !entry.done())) {
        tails.put(Path.of(path), new FileTail(Path.of(path), context, entries));
        any = true;
      }
    }
    return any;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long lastBeatNanos() {
    return beat;
  }

  /// Stops reading. Call {@link #close} once the chunks in flight have had time to arrive.
  public void stopReading() {
    stopping = true;
    Thread running = thread;
    if (running == null) {
      return;
    }
    LockSupport.unpark(running);
    try {
      if (!running.join(END)) {
        running.interrupt();
        running.join(END);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Stops reading if necessary, and writes the last checkpoint.
  @Override
  public void close() {
    stopReading();
    Thread running = thread;
    if (running == null || !running.isAlive()) {
      memory.save(tails.values());
      tails.values().forEach(FileTail::close);
    }
  }
}
