package io.ringside.shipper.source.dump;

import io.ringside.shipper.source.LoopingSource;
import io.ringside.shipper.source.log.find.LogFiles;
import io.ringside.shipper.source.log.find.Roots;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Requests dumps while the node's jobs stand still. Writing a byte into each pipe at which a
/// PyTorch process listens (`TORCH_NCCL_DEBUG_INFO_PIPE_FILE`, ProcessGroupNCCL.cpp) makes the
/// process write a dump. Does so once per standstill, at least ten minutes apart.
///
/// Opens a pipe for reading as well, since an open for writing alone blocks until there is a
/// reader. A byte that no process reads is lost at the close. A pipe whose reader does not read, so
/// that it is full, is given up after a second.
public final class DumpPipes extends LoopingSource {
  private static final Logger LOGGER = LoggerFactory.getLogger(DumpPipes.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  /// How long jobs must stand still before dumps are requested; most normal pauses are shorter.
  private static final Duration STANDING = Duration.ofSeconds(20);

  private static final Duration PAUSE = Duration.ofMinutes(10);

  /// Limit of pipes; a machine has at most 16 GPUs.
  private static final int MOST = 64;

  private static final long PATIENCE_MILLIS = 1_000;

  private final LogFiles globs;
  private final Roots roots;
  private final BooleanSupplier stands;
  private final DumpCounts counts;
  private @Nullable Long sinceNanos;
  private @Nullable Long askedNanos;
  private boolean asked;
  private boolean saidWhy;

  /// @param globs paths of the pipes
  /// @param stands whether the node's jobs seem to stand still
  public DumpPipes(
      List<String> globs,
      BooleanSupplier stands,
      DumpCounts counts,
      InstantSource clock,
      LongSupplier ticker) {
    super("dump-pipes", ticker);
    this.globs = new LogFiles(globs, clock);
    this.roots = Roots.of(globs);
    this.stands = stands;
    this.counts = counts;
  }

  @Override
  protected Duration rest() {
    return LOOK;
  }

  @Override
  protected void round() {
    if (!stands.getAsBoolean()) {
      sinceNanos = null;
      asked = false;
      return;
    }
    long now = ticker.getAsLong();
    sinceNanos = sinceNanos == null ? Long.valueOf(now) : sinceNanos;
    if (!asked
        && now - sinceNanos >= STANDING.toNanos()
        && (askedNanos == null || now - askedNanos >= PAUSE.toNanos())) {
      asked = true;
      askedNanos = now;
      ask();
    }
  }

  private void ask() {
    for (var path : globs.list().stream().limit(MOST).toList()) {
      beat();
      if (stopping()) {
        return;
      }
      try {
        write(roots.pipe(path));
        counts.asked.increment();
      } catch (AsynchronousCloseException e) {
        failed(path, "it is full: its process reads nothing");
      } catch (IOException e) {
        failed(path, e.toString());
      }
    }
  }

  private static void write(Path pipe) throws IOException {
    try (var channel =
        FileChannel.open(
            pipe,
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
      if (seeks(channel)) {
        throw new IOException("replaced while it was opened");
      }
      var late =
          CompletableFuture.runAsync(
              () -> close(channel),
              CompletableFuture.delayedExecutor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
      channel.write(ByteBuffer.wrap(new byte[] {'1'}));
      late.cancel(false);
    }
  }

  /// Whether the channel has a position, as files and disks do and pipes do not.
  private static boolean seeks(FileChannel channel) {
    try {
      return channel.position() >= 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // closed nevertheless
    }
  }

  private void failed(Path pipe, String why) {
    if (!saidWhy) {
      saidWhy = true;
      LOGGER
          .atWarn()
          .addKeyValue("pipe", pipe)
          .addKeyValue("reason", why)
          .log("no dump of the flight recorder can be asked for here, going on");
    }
  }
}
