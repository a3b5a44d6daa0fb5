package io.ringside.shipper.source.log.follow;

import io.ringside.shipper.source.log.file.FileIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Stores, over restarts, what is safe with the broker. The new file is written beside the old one
/// and forced to disk, then renamed over it, and the rename is forced too: after a crash at any
/// moment either the old or the new state is there. Not thread-safe.
public final class Checkpoints {
  /// The state of one file, current or earlier, at a path.
  ///
  /// @param path as in the records
  /// @param key device and inode
  /// @param length number of first bytes that the fingerprint covers
  /// @param resume offset to read from
  /// @param offset end of the last chunk that is safe
  /// @param sequence number of the next chunk
  /// @param done whether the file was read to its end and is never read again
  public record Entry(
      String path,
      String key,
      int length,
      long fingerprint,
      long epoch,
      long resume,
      long offset,
      long sequence,
      boolean done) {

    public Entry {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(key, "key");
    }

    FileIdentity identity() {
      return new FileIdentity(key, length, fingerprint);
    }

    Deliveries.Point point() {
      return new Deliveries.Point(resume, offset, sequence);
    }
  }

  /// The content of the checkpoint file.
  record State(int version, long savedAtMillis, List<Entry> files) {
    /// Whether all entries are present. Jackson accepts null for a list and for its elements.
    @SuppressWarnings("ConstantValue")
    boolean isWhole() {
      return files != null && files.stream().allMatch(Objects::nonNull);
    }
  }

  private static final int VERSION = 1;
  private static final State NOTHING = new State(VERSION, 0, List.of());
  private static final Logger LOGGER = LoggerFactory.getLogger(Checkpoints.class);
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final Path file;

  public Checkpoints(Path file) {
    this.file = file.toAbsolutePath();
  }

  /// The last state saved, or an empty one if there is none. A state that cannot be parsed is set
  /// aside and all logs are read again: later stages can recognise repeats, but cannot restore
  /// losses.
  State load() throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      LOGGER.atInfo().addKeyValue("file", file).log("no checkpoints yet, reading from the start");
      return NOTHING;
    }
    try {
      var state = MAPPER.readValue(bytes, State.class);
      if (state != null && state.version == VERSION && state.isWhole()) {
        return state;
      }
      setAside(state == null || state.version == VERSION ? "null" : "of version " + state.version);
    } catch (JacksonException e) {
      setAside(e.getOriginalMessage());
    }
    return NOTHING;
  }

  private void setAside(String reason) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".damaged");
    Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
    LOGGER
        .atError()
        .addKeyValue("file", file)
        .addKeyValue("kept", aside)
        .addKeyValue("reason", reason)
        .log("checkpoints cannot be understood, reading all logs from the start");
  }

  /// Replaces the state on disk.
  void save(long nowMillis, List<Entry> entries) throws IOException {
    Path folder = Objects.requireNonNull(file.getParent(), "folder");
    Files.createDirectories(folder);
    Path fresh = folder.resolve(file.getFileName() + ".new");
    byte[] bytes = MAPPER.writeValueAsBytes(new State(VERSION, nowMillis, entries));
    try (var channel =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      var buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
