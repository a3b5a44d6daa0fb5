package io.ringside.shipper.source.inspector;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.shipper.config.FolderOwner;
import io.ringside.shipper.source.LoopingSource;
import io.ringside.shipper.source.WitnessReachability.Contact;
import io.ringside.shipper.source.log.file.FileStamp;
import io.ringside.shipper.source.log.file.OpenedFile;
import io.ringside.shipper.source.log.find.LogFiles;
import io.ringside.shipper.source.log.find.Roots;
import io.ringside.shipper.source.log.follow.TailCounts;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/// Sends NCCL Inspector's tables in Prometheus' text format, each whole after it has changed: the
/// Inspector writes such a file anew each time (2.29, `ext-profiler/inspector`), so it cannot be
/// followed line by line. Also records whether the folders of all its files can be listed.
///
/// While the broker has not answered about a table, it is not read again; then its newest content
/// is sent.
public final class InspectorTables extends LoopingSource {
  private static final Duration LOOK = Duration.ofSeconds(5);

  /// Older tables belong to jobs that are over.
  private static final Duration PAST = Duration.ofHours(1);

  /// Tables of a folder that are read, one for each GPU of a node: a hostile job may write files
  /// without end, and must not keep those of other jobs waiting.
  private static final int MOST_OF_FOLDER = 32;

  /// Bytes of a table that are read: a line of 400 bytes for each of some thousand communicators.
  private static final int LARGEST = 1024 * 1024;

  private final LogFiles folders;
  private final LogFiles tables;
  private final Roots roots;
  private final FolderOwner owner;
  private final UnaryOperator<String> mask;
  private final Function<LogChunk, CompletableFuture<Void>> sink;
  private final TailCounts counts;
  private final Contact contact;
  private final InstantSource clock;
  private final Map<Path, Sent> known = new TreeMap<>();

  /// @param followed globs of the files that are followed line by line
  /// @param owner finds the owner of a table, by the globs of tables
  /// @param mask hides secrets
  /// @param sink its future completes with the broker's answer
  /// @param contact records whether the folders can be listed
  public InspectorTables(
      List<String> followed,
      FolderOwner owner,
      UnaryOperator<String> mask,
      Function<LogChunk, CompletableFuture<Void>> sink,
      TailCounts counts,
      Contact contact,
      InstantSource clock,
      LongSupplier ticker) {
    super("inspector-tables", ticker);
    this.folders = new LogFiles(followed, clock);
    this.tables = new LogFiles(owner.globs(), clock);
    this.roots = Roots.of(owner.globs());
    this.owner = owner;
    this.mask = mask;
    this.sink = sink;
    this.counts = counts;
    this.contact = contact;
    this.clock = clock;
  }

  private record Sent(FileStamp stamp, CompletableFuture<Void> answer) {
    boolean holds(FileStamp now) {
      return stamp.equals(now) && !answer.isCompletedExceptionally();
    }
  }

  @Override
  protected Duration rest() {
    return LOOK;
  }

  @Override
  protected void round() {
    folders.list();
    var there = tables.list();
    folders
        .unlisted()
        .or(tables::unlisted)
        .ifPresentOrElse(it -> contact.failed(it.why(), it.absent()), contact::reached);
    known.keySet().retainAll(there);
    var ofFolder = new HashMap<Path, Integer>();
    there.stream()
        .filter(path -> ofFolder.merge(path.resolveSibling(""), 1, Integer::sum) <= MOST_OF_FOLDER)
        .takeWhile(_ -> !stopping())
        .forEach(this::look);
  }

  private void look(Path path) {
    beat();
    var before = known.get(path);
    if (before != null && !before.answer.isDone()) {
      return;
    }
    try {
      var real = roots.file(path);
      if (!owner.holds(path, real)) {
        throw new AccessDeniedException(path.toString(), null, "a link leads to another's folder");
      }
      var stamp = FileStamp.of(real);
      boolean old = clock.millis() - stamp.changedMillis() > PAST.toMillis();
      if (!old && (before == null || !before.holds(stamp))) {
        send(path, stamp, read(real));
      }
    } catch (NoSuchFileException e) {
      known.remove(path);
    } catch (IOException e) {
      counts.readFailures.increment();
    }
  }

  private static byte[] read(Path real) throws IOException {
    var block = new byte[LARGEST];
    try (var bytes = OpenedFile.at(real).bytes()) {
      return Arrays.copyOf(block, Math.max(0, bytes.read(block, 0)));
    }
  }

  private void send(Path path, FileStamp stamp, byte[] bytes) {
    counts.bytes.add(bytes.length);
    var answer =
        PackedWitness.line(
                PackedWitness.INSPECTOR, mask.apply(new String(bytes, UTF_8)).getBytes(UTF_8))
            .map(
                line ->
                    LogChunk.ofLine(
                        owner.of(path),
                        stamp.changedMillis(),
                        0,
                        0,
                        stamp.size() + 1,
                        clock.instant(),
                        line))
            .map(sink)
            // one that fits into no record is read again once it has changed
            .orElseGet(() -> CompletableFuture.completedFuture(null));
    known.put(path, new Sent(stamp, answer));
  }
}
