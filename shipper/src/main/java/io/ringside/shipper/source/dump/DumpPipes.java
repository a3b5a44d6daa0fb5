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

/// Asks for dumps while the node's jobs stand: a byte into each pipe at which a process of PyTorch
/// listens (`TORCH_NCCL_DEBUG_INFO_PIPE_FILE`, ProcessGroupNCCL.cpp) makes it write one. Once a
/// silence, not twice within ten minutes.
///
/// A pipe is opened to be read as well, for an open to write alone waits for a reader; nothing is
/// read. A byte for which nobody listens is gone with the close. A pipe that is full, because its
/// reader does not read, is left after a second.
public final class DumpPipes extends LoopingSource {
  private static final Logger LOGGER = LoggerFactory.getLogger(DumpPipes.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  /// Most pauses that a job makes are over by then.
  private static final Duration STANDING = Duration.ofSeconds(20);

  private static final Duration PAUSE = Duration.ofMinutes(10);

  /// A machine has 16 GPUs at most.
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

  /// @param globs of the pipes
  /// @param stands whether the node's jobs seem to stand
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

  /// What has a position is a file or a disk.
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
      // closed all the same
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
