package io.ringside.shipper.source.kernel;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Text;
import io.ringside.shipper.source.LoopingSource;
import io.ringside.shipper.source.WitnessReachability.Contact;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows the kernel's log and hands on the driver's lines. A read may wait for days, on a thread
/// of its own. Records that the kernel overwrote before they were read are counted by the gap in
/// the sequence.
///
/// At the start the lines of the last ten minutes are sent again; readers recognise a line by its
/// timestamp.
public final class KernelLog extends LoopingSource {
  /// Limits of waiting and of what is sent.
  ///
  /// @param retry pause after the device could not be opened or read
  /// @param past greatest age of a line found at the start
  /// @param linesPerMinute further lines are counted and dropped: a broken GPU may write thousands
  public record Limits(Duration retry, Duration past, int linesPerMinute) {
    public static final Limits USUAL =
        new Limits(Duration.ofMinutes(1), Duration.ofMinutes(10), 240);
  }

  private static final Logger LOGGER = LoggerFactory.getLogger(KernelLog.class);

  /// Size of the read buffer in bytes. The kernel refuses a read with less room than its longest
  /// record (CONSOLE_EXT_LOG_MAX, 8 KiB).
  private static final int RECORD = 16 * 1024;

  private static final int LONGEST_TEXT = 1024;

  /// Limit of failed reads in a row: one is an overrun, more mean a broken device.
  private static final int MOST_FAILURES = 3;

  /// A record for which a read waited at least this long was written just now.
  private static final long FRESH_NANOS = 20_000_000L;

  private static final long MINUTE_NANOS = 60_000_000_000L;

  private final LogSource source;
  private final KernelDevice.Opening device;
  private final Limits limits;
  private final Consumer<LogChunk> sink;
  private final KernelCounts counts;
  private final Contact contact;
  private final InstantSource clock;
  private final long epoch;
  private Instant boot;
  private long chunks;
  private long next = -1;
  private long minute;
  private int ofMinute;
  private boolean saidAbsent;

  /// @param uptime of the machine, now
  /// @param contact records whether the log can be read
  public KernelLog(
      String cluster,
      String node,
      KernelDevice.Opening device,
      Duration uptime,
      Limits limits,
      Consumer<LogChunk> sink,
      KernelCounts counts,
      Contact contact,
      InstantSource clock,
      LongSupplier ticker) {
    super("kernel", ticker);
    this.source = LogSource.ofNode(cluster, node, "kernel");
    this.device = device;
    this.limits = limits;
    this.sink = sink;
    this.counts = counts;
    this.contact = contact;
    this.clock = clock;
    this.boot = clock.instant().minus(uptime);
    this.epoch = clock.instant().toEpochMilli();
    this.minute = ticker.getAsLong();
  }

  @Override
  protected void round() {
    try (var opened = device.open()) {
      saidAbsent = false;
      follow(opened);
    } catch (ClosedChannelException _) {
      // interrupted, because the source is closing
    } catch (IOException | RuntimeException e) {
      counts.failures.increment();
      contact.failed(why(e));
      sayAbsent(e);
    }
  }

  @Override
  protected Duration rest() {
    return limits.retry();
  }

  /// Opening the device needs a permission; with `kernel.dmesg_restrict` reading it needs
  /// CAP_SYSLOG.
  private static String why(Exception e) {
    boolean refused =
        e instanceof AccessDeniedException
            || String.valueOf(e.getMessage()).endsWith("Operation not permitted");
    return (refused ? "may not" : "cannot") + " read /dev/kmsg";
  }

  private void sayAbsent(Exception e) {
    if (!saidAbsent) {
      saidAbsent = true;
      LOGGER
          .atWarn()
          .addKeyValue("reason", String.valueOf(e))
          .log("the kernel's log cannot be read, going on without Xids");
    }
  }

  private void follow(KernelDevice opened) throws IOException {
    var buffer = ByteBuffer.allocate(RECORD);
    int failures = 0;
    while (!stopping()) {
      buffer.clear();
      long before = ticker.getAsLong();
      int length;
      waits(true);
      try {
        length = opened.read(buffer);
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        if (++failures >= MOST_FAILURES) {
          throw e;
        }
        continue; // overwritten; the gap in the sequence is counted
      } finally {
        beat();
        waits(false);
      }
      if (length <= 0) {
        throw new IOException("the device ended");
      }
      failures = 0;
      contact.reached();
      boolean fresh = lastBeatNanos() - before > FRESH_NANOS;
      KernelRecord.of(buffer.array(), length).ifPresent(record -> take(record, fresh));
    }
  }

  private void take(KernelRecord record, boolean fresh) {
    if (next >= 0 && record.sequence() > next) {
      overrun(record.sequence() - next);
    }
    if (record.sequence() < next) {
      return; // the device was opened again and repeats the records that it still holds
    }
    next = record.sequence() + 1;
    var now = clock.instant();
    var sinceBoot = Duration.ofNanos(1_000 * record.micros());
    if (fresh) {
      boot = now.minus(sinceBoot); // the records' clock drifts by minutes in months
    }
    if (!DriverLine.is(record)) {
      return;
    }
    var at = boot.plus(sinceBoot);
    at = at.isAfter(now) ? now : at;
    if (at.isBefore(now.minus(limits.past()))) {
      return;
    }
    if (!admits()) {
      counts.dropped.increment();
      return;
    }
    counts.lines.increment();
    sink.accept(chunk(record, at, now));
  }

  private void overrun(long lost) {
    counts.overrun.add(lost);
    LOGGER
        .atWarn()
        .addKeyValue("records", lost)
        .log("the kernel overwrote records before they were read, Xids may be among them");
  }

  private boolean admits() {
    if (ticker.getAsLong() - minute >= MINUTE_NANOS) {
      minute = ticker.getAsLong();
      ofMinute = 0;
    }
    return ++ofMinute <= limits.linesPerMinute();
  }

  /// Makes a chunk of one line, since these lines are rare. Its offset is the record's sequence
  /// number rather than a file offset.
  private LogChunk chunk(KernelRecord record, Instant at, Instant now) {
    var line = record.line();
    return new LogChunk(
        source,
        epoch,
        chunks++,
        record.sequence(),
        record.sequence() + 1,
        now,
        true,
        false,
        Text.of(line.length() > LONGEST_TEXT ? line.substring(0, LONGEST_TEXT) : line),
        new int[] {0},
        Nanos.of(at),
        new long[] {0},
        new int[0]);
  }
}
