package io.ringside.standalone.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Finds the line numbers of evidence in files on this machine, since an agent resumes within a
/// file and knows only byte offsets. If a file now has other content at the offset, for example
/// after a rotation, there is no line number. Thread-safe.
public final class LocalLines implements UnaryOperator<Finding> {
  private static final int MOST_FILES = 1_024;

  /// Most bytes read to count one line, from the nearest line counted before.
  private static final long MOST_BYTES = 256L << 20;

  private static final int BUFFER = 1 << 16;

  /// Number of characters of the line that must match.
  private static final int COMPARED = 80;

  /// Bytes allowed for a container runtime's prefix, which is shorter.
  private static final int PREFIX = 128;

  /// Line numbers by offset, by file.
  private final Map<Object, TreeMap<Long, Long>> counted =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, TreeMap<Long, Long>> eldest) {
          return size() > MOST_FILES;
        }
      };

  @Override
  public Finding apply(Finding finding) {
    return finding.with(its -> its.evidence = finding.evidence().stream().map(this::in).toList());
  }

  private Evidence in(Evidence evidence) {
    if (evidence.offset() < 0 || evidence.line() != null) {
      return evidence;
    }
    try {
      var path = Path.of(evidence.file());
      if (!path.isAbsolute() || !Files.isRegularFile(path)) {
        return evidence;
      }
      var number = number(path, evidence.offset(), evidence.text());
      return number == null ? evidence : evidence.in(evidence.file(), number);
    } catch (IOException | InvalidPathException e) {
      return evidence; // gone meanwhile, or on another machine
    }
  }

  private synchronized @Nullable Long number(Path path, long offset, String text)
      throws IOException {
    try (var file = FileChannel.open(path)) {
      if (!holds(file, offset, text)) {
        return null;
      }
      var lines = counted.computeIfAbsent(id(path), _ -> new TreeMap<>(Map.of(0L, 1L)));
      var before = lines.floorEntry(offset);
      if (offset - before.getKey() > MOST_BYTES) {
        return null;
      }
      long number = before.getValue() + breaks(file, before.getKey(), offset);
      lines.put(offset, number);
      return number;
    }
  }

  /// An identity of the file that survives a rename.
  private static Object id(Path path) throws IOException {
    var key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key == null ? path : key;
  }

  /// Whether the line at the offset is the one that was read.
  private static boolean holds(FileChannel file, long offset, String text) throws IOException {
    var begin = text.substring(0, Math.min(COMPARED, text.length()));
    long from = Math.max(0, offset - 1);
    var buffer = ByteBuffer.allocate(PREFIX + 4 * COMPARED);
    while (buffer.hasRemaining() && file.read(buffer, from + buffer.position()) >= 0) {
      // until everything is read
    }
    var there = new String(buffer.array(), 0, buffer.position(), UTF_8);
    return (offset == 0 || there.startsWith("\n"))
        && there.substring(offset == 0 ? 0 : 1).lines().findFirst().orElse("").contains(begin);
  }

  private static long breaks(FileChannel file, long from, long until) throws IOException {
    var buffer = ByteBuffer.allocate(BUFFER);
    long breaks = 0;
    long at = from;
    while (at < until) {
      buffer.clear().limit((int) Math.min(BUFFER, until - at));
      int read = file.read(buffer, at);
      if (read < 0) {
        break;
      }
      for (int i = 0; i < read; i++) {
        breaks += buffer.get(i) == '\n' ? 1 : 0;
      }
      at += read;
    }
    return breaks;
  }
}
