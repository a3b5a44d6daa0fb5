package io.ringside.shipper.source.dump;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.shipper.config.FolderOwner;
import io.ringside.shipper.source.LoopingSource;
import io.ringside.shipper.source.WitnessReachability.Contact;
import io.ringside.shipper.source.log.file.FileStamp;
import io.ringside.shipper.source.log.file.OpenedFile;
import io.ringside.shipper.source.log.find.LogFiles;
import io.ringside.shipper.source.log.find.Roots;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends each dump once it is complete. Each waits until the broker has the previous one, so that
/// only one is in memory. After a restart the dumps of the last hour are sent again; readers
/// recognise a dump by its path, time and size.
///
/// A file that cannot be sent is sent empty, so that its rank is not accused of having left no
/// dump.
public final class DumpFiles extends LoopingSource {
  private static final Logger LOGGER = LoggerFactory.getLogger(DumpFiles.class);
  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final Duration PAST = Duration.ofHours(1);
  private static final int MOST_FILES = 4_096;

  /// Limits of files per folder, since a faulty or hostile job may write files without end. Further
  /// files are ignored or wait for the next minute.
  private static final int MOST_OF_FOLDER = 512;

  private static final int MOST_A_MINUTE = 32;
  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final int BLOCK = 64 * 1024;

  /// Every dump has one of these words near its beginning, whatever its version.
  private static final List<String> WORDS =
      List.of("pg_config", "pg_status", "entries", "profiling_name");

  private final LogFiles globs;
  private final Roots roots;
  private final Duration settled;
  private final FolderOwner owner;
  private final Function<LogChunk, CompletableFuture<Void>> sink;
  private final DumpCounts counts;
  private final Contact contact;
  private final InstantSource clock;
  private final Map<Path, Watched> known = new TreeMap<>();
  private final Map<Path, Integer> ofMinute = new HashMap<>();
  private long minute;
  private boolean saidTooMany;

  /// @param settled how long a file must be unchanged before it is read
  /// @param sink its future completes with the broker's answer
  /// @param contact records whether the dumps' folders can be listed
  public DumpFiles(
      FolderOwner owner,
      Duration settled,
      Function<LogChunk, CompletableFuture<Void>> sink,
      DumpCounts counts,
      Contact contact,
      InstantSource clock,
      LongSupplier ticker) {
    super("dumps", ticker);
    this.globs = new LogFiles(owner.globs(), clock);
    this.roots = Roots.of(owner.globs());
    this.owner = owner;
    this.settled = settled;
    this.sink = sink;
    this.counts = counts;
    this.contact = contact;
    this.clock = clock;
  }

  /// @param stamp null for a file that cannot be read
  /// @param sinceNanos when the file was first seen in this state
  private record Watched(@Nullable FileStamp stamp, long sinceNanos, boolean done) {
    Watched finished() {
      return new Watched(stamp, sinceNanos, true);
    }
  }

  @Override
  protected Duration rest() {
    return LOOK;
  }

  @Override
  protected void round() throws InterruptedException {
    var there = globs.list();
    globs.unlisted().ifPresentOrElse(it -> contact.failed(it.why(), it.absent()), contact::reached);
    known.keySet().retainAll(there);
    if (ticker.getAsLong() - minute >= MINUTE_NANOS) {
      minute = ticker.getAsLong();
      ofMinute.clear();
    }
    var ofFolder = new HashMap<Path, Integer>();
    for (var path : there) {
      beat();
      if (stopping()) {
        return;
      }
      if (ofFolder.merge(folder(path), 1, Integer::sum) <= MOST_OF_FOLDER
          && (known.size() < MOST_FILES || known.containsKey(path))) {
        look(path);
      } else if (!saidTooMany) {
        saidTooMany = true;
        flaw(DumpFlaw.TOO_MANY, path, "%d of a folder are looked at".formatted(MOST_OF_FOLDER));
      }
    }
  }

  private static Path folder(Path path) {
    return path.resolveSibling("");
  }

  private void look(Path path) throws InterruptedException {
    var before = known.get(path);
    FileStamp stamp = null;
    try {
      var real = roots.file(path);
      if (!owner.holds(path, real)) {
        throw new AccessDeniedException(path.toString(), null, "a link leads to another's folder");
      }
      stamp = FileStamp.of(real);
      if (before == null || !stamp.equals(before.stamp)) {
        boolean old = clock.millis() - stamp.changedMillis() > PAST.toMillis();
        known.put(path, new Watched(stamp, ticker.getAsLong(), old));
      } else if (!before.done
          && ticker.getAsLong() - before.sinceNanos >= settled.toNanos()
          && ofMinute.merge(folder(path), 1, Integer::sum) <= MOST_A_MINUTE
          && send(path, real, stamp)) {
        known.put(path, before.finished());
      }
    } catch (NoSuchFileException e) {
      known.remove(path);
    } catch (IOException e) {
      if (before == null || !before.done || !Objects.equals(before.stamp, stamp)) {
        unreadable(path, stamp, e);
      }
    }
  }

  private void unreadable(Path path, @Nullable FileStamp stamp, IOException e)
      throws InterruptedException {
    flaw(DumpFlaw.UNREADABLE, path, e.toString());
    if (sent(path, stamp == null ? new FileStamp("", 0, clock.millis()) : stamp, new byte[0])) {
      known.put(path, new Watched(stamp, ticker.getAsLong(), true));
    }
  }

  /// @return whether the file is finished; if not, it is looked at again
  private boolean send(Path path, Path real, FileStamp stamp)
      throws IOException, InterruptedException {
    var packing = new PackedWitness.Packing();
    var head = new byte[0];
    int last = -1;
    boolean fits = true;
    try (var bytes = OpenedFile.at(real).bytes()) {
      var block = new byte[BLOCK];
      long at = 0;
      for (int read = bytes.read(block, 0); read > 0 && fits; read = bytes.read(block, at)) {
        head = at == 0 ? Arrays.copyOf(block, read) : head;
        if (!beginsLikeADump(head)) {
          break;
        }
        fits = packing.add(block, read);
        last = lastOf(block, read, last);
        at += read;
      }
    }
    if (!FileStamp.of(real).equals(stamp)) {
      return false;
    }
    if (!beginsLikeADump(head)) {
      flaw(DumpFlaw.NO_DUMP, path, "it does not begin like one");
      return sent(path, stamp, new byte[0]);
    }
    var line = packing.line(PackedWitness.FLIGHT_RECORDER);
    if (line.isEmpty()) {
      flaw(DumpFlaw.TOO_LARGE, path, "it does not fit into a record");
      return sent(path, stamp, Arrays.copyOf(head, PackedWitness.BEGINNING));
    }
    if (last != (head[0] == '{' ? '}' : head[0] == '[' ? ']' : '.')) {
      flaw(DumpFlaw.CUT, path, "it does not end like one");
      return sent(path, stamp, line.get());
    }
    boolean sent = sent(path, stamp, line.get());
    if (sent) {
      counts.dumps.increment();
    }
    return sent;
  }

  /// Whether the bytes begin like pickle of any protocol that PyTorch has written, or like JSON.
  private static boolean beginsLikeADump(byte[] head) {
    var text = new String(head, ISO_8859_1);
    return (text.startsWith("\u0080") || text.startsWith("{") || text.startsWith("["))
        && WORDS.stream().anyMatch(text::contains);
  }

  /// The last byte that is not white space.
  private static int lastOf(byte[] block, int length, int before) {
    int end = length;
    while (end > 0 && block[end - 1] <= ' ' && block[end - 1] >= 0) {
      end--;
    }
    return end == 0 ? before : block[end - 1];
  }

  private void flaw(DumpFlaw flaw, Path path, String reason) {
    counts.flaws.count(flaw);
    LOGGER
        .atWarn()
        .addKeyValue("file", path)
        .addKeyValue("flaw", flaw.name().toLowerCase(Locale.ROOT))
        .addKeyValue("reason", reason)
        .log("a flight recorder's dump is malformed, going on");
  }

  private boolean sent(Path path, FileStamp stamp, byte[] bytes) throws InterruptedException {
    return sent(
        path, stamp, PackedWitness.line(PackedWitness.FLIGHT_RECORDER, bytes).orElseThrow());
  }

  /// The chunk's epoch is the file's modification time, so that readers recognise a dump sent
  /// twice.
  private boolean sent(Path path, FileStamp stamp, String line) throws InterruptedException {
    var answer =
        sink.apply(
            LogChunk.ofLine(
                owner.of(path),
                stamp.changedMillis(),
                0,
                0,
                stamp.size() + 1,
                clock.instant(),
                line));
    while (!stopping()) {
      beat();
      try {
        answer.get(1, TimeUnit.SECONDS);
        return true;
      } catch (TimeoutException e) {
        // the broker is away: keep waiting
      } catch (ExecutionException e) {
        return false; // logged by the publisher; the file is sent again
      }
    }
    return false;
  }
}
