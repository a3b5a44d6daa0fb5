package io.ringside.streams.state;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/// A store of objects that grow large. A commit writes only the events that changed an object. Once
/// the events weigh twice as much as the object, the whole object is written, in pieces. So little
/// more is written than what came in, however large the object is, and no record is larger than a
/// piece.
///
/// Small objects can instead be written whole by each commit.
///
/// The changelog holds these records for each key:
///
/// ```text
/// key                      a small object
/// key \n h                 the head: valid generation, number of pieces, first block after it
/// key \n s generation i    piece i of the compressed snapshot
/// key \n j number          a block of events since then, compressed fast
/// ```
///
/// The head is written after the pieces and before the old ones are deleted: an interrupted write
/// leaves the old generation intact, even where no transaction protects it. A line feed in a key is
/// written as NUL, which no file or job name contains.
///
/// @param <T> the state, changed in place by its events and by nothing else
public final class JournaledStore<T> extends ObjectStore<T> {
  /// Bytes of the largest record, well below what brokers accept.
  static final int PIECE = 512 << 10;

  /// Bytes of events that are kept at least before an object is written as a whole.
  static final int LEAST_JOURNAL = 1 << 20;

  /// Most bytes of events that an object at rest may have.
  private static final int REST_JOURNAL = LEAST_JOURNAL / 4;

  private final StateBytes<T> form;
  private final Supplier<T> initial;
  private final Supplier<T> afterLoss;
  private final BiConsumer<byte[], T> replay;

  /// Largest size of a small object, in bytes.
  private final int small;

  /// Most bytes of events in a block. Data that cannot be compressed becomes a little larger.
  private static final int BLOCK = PIECE - (PIECE >> 6);

  private final Map<String, Journal> journals = new HashMap<>();

  private JournaledStore(
      KeyValueStore<String, byte[]> bytes,
      StateBytes<T> form,
      Supplier<T> initial,
      Supplier<T> afterLoss,
      BiConsumer<byte[], T> replay,
      int small) {
    super(bytes);
    this.form = form;
    this.initial = initial;
    this.afterLoss = afterLoss;
    this.replay = replay;
    this.small = small;
  }

  /// @param afterLoss makes the replacement for a state that cannot be read; it records the loss
  /// @param replay applies an event to the state exactly as the caller of {@link #note} did
  /// @param small objects of at most this many bytes are written whole by each commit; 0 for none
  public static <T> StoreBuilder<JournaledStore<T>> builder(
      String name,
      Class<T> type,
      Supplier<T> initial,
      Supplier<T> afterLoss,
      BiConsumer<byte[], T> replay,
      int small) {
    var form = new StateBytes<>(type);
    return builder(
        name, bytes -> new JournaledStore<>(bytes, form, initial, afterLoss, replay, small));
  }

  /// How far the records of a key are written.
  private static final class Journal {
    /// Whether the object is written whole by each commit.
    boolean whole;

    Head head = Head.NONE;
    long next;
    long written;
    final ByteArrayOutputStream fresh = new ByteArrayOutputStream();

    Journal(boolean whole) {
      this.whole = whole;
    }
  }

  /// @param raw size of the snapshot before it was compressed
  private record Head(long generation, int pieces, long firstBlock, long raw) {
    static final Head NONE = new Head(0, 0, 0, 0);

    byte[] bytes() {
      return ByteBuffer.allocate(28)
          .putLong(generation)
          .putInt(pieces)
          .putLong(firstBlock)
          .putLong(raw)
          .array();
    }

    static Head of(byte[] bytes) {
      var in = ByteBuffer.wrap(bytes);
      return new Head(in.getLong(), in.getInt(), in.getLong(), in.getLong());
    }
  }

  /// Records that this event changed the state of the key, which the caller got from {@link #get}.
  ///
  /// @param event called only if the object is not written whole
  public void note(String key, Supplier<byte[]> event) {
    if (journal(key).whole) {
      changed.add(key);
    } else {
      note(key, event.get());
    }
  }

  /// Records that this event changed the state of the key.
  public void note(String key, byte[] event) {
    var journal = journal(key);
    if (journal.fresh.size() + event.length > BLOCK) {
      block(key, journal);
    }
    journal.fresh.writeBytes(ByteBuffer.allocate(4).putInt(event.length).array());
    journal.fresh.writeBytes(event);
    changed.add(key);
  }

  /// The state of the key, created on first use. A caller that changes it must call {@link #note}.
  public T get(String key) {
    return ask(key, this::load);
  }

  /// All keys, in memory or only written.
  public Set<String> keys() {
    var keys = new TreeSet<>(live.keySet());
    try (var all = bytes.all()) {
      all.forEachRemaining(
          entry -> {
            int end = entry.key.indexOf('\n');
            keys.add(given(end < 0 ? entry.key : entry.key.substring(0, end)));
          });
    }
    return keys;
  }

  /// Forgets the key.
  public void remove(String key) {
    get(key);
    var journal = journal(key);
    deletePieces(key, journal.head);
    deleteBlocks(key, journal.head.firstBlock(), journal.next);
    bytes.delete(head(key));
    bytes.delete(written(key));
    journals.remove(key);
    forget(key);
  }

  private T load(String key) {
    try {
      return read(key);
    } catch (
        RuntimeException
            e) { // of many kinds: damaged pieces, blocks, Fory bytes, or an event that fails
      unreadable(key, e);
      deleteAll(key);
      var journal = new Journal(small > 0);
      journal.written =
          LEAST_JOURNAL; // makes the next commit write a snapshot, so that the loss is stored too
      journals.put(key, journal);
      changed.add(key);
      return afterLoss.get();
    }
  }

  private void deleteAll(String key) {
    var own = new ArrayList<String>();
    own.add(written(key));
    try (var records = bytes.prefixScan(written(key) + "\n", new StringSerializer())) {
      records.forEachRemaining(entry -> own.add(entry.key));
    }
    own.forEach(bytes::delete);
  }

  private T read(String key) {
    var journal = journal(key);
    byte @Nullable [] whole = bytes.get(written(key));
    if (whole != null) {
      return form.read(whole);
    }
    byte @Nullable [] head = bytes.get(head(key));
    journal.whole &= head == null;
    journal.head = head == null ? Head.NONE : Head.of(head);
    journal.next = journal.head.firstBlock();
    T state = journal.head.pieces() == 0 ? initial.get() : form.read(snapshot(key, journal.head));
    byte @Nullable [] block = bytes.get(block(key, journal.next));
    while (block != null) {
      var events = Lz4.unpack(block);
      replay(events, state);
      journal.written += events.length;
      journal.next++;
      block = bytes.get(block(key, journal.next));
    }
    return state;
  }

  private void replay(byte[] block, T state) {
    var in = ByteBuffer.wrap(block);
    while (in.hasRemaining()) {
      var event = new byte[in.getInt()];
      in.get(event);
      replay.accept(event, state);
    }
  }

  private byte[] snapshot(String key, Head head) {
    var whole = new ByteArrayOutputStream();
    for (int i = 0; i < head.pieces(); i++) {
      byte @Nullable [] piece = bytes.get(piece(key, head.generation(), i));
      if (piece == null) {
        throw new IllegalStateException("piece %d of %s is missing".formatted(i, key));
      }
      whole.writeBytes(piece);
    }
    return Deflated.inflate(whole.toByteArray());
  }

  @Override
  void write(String key, T state) {
    var journal = journal(key);
    if (journal.whole) {
      writeWhole(key, form.write(state), journal);
    } else if (journal.written + journal.fresh.size()
        < Math.max(LEAST_JOURNAL, 2 * journal.head.raw())) {
      block(key, journal);
    } else {
      journal.fresh.reset();
      snapshot(key, form.write(state), journal);
    }
  }

  /// Replaces many events by a snapshot of the object, which is smaller.
  @Override
  boolean rests(String key, T state) {
    var journal = journal(key);
    if (journal.written > REST_JOURNAL) {
      snapshot(key, form.write(state), journal);
    }
    journals.remove(key);
    return true;
  }

  private void block(String key, Journal journal) {
    if (journal.fresh.size() > 0) {
      bytes.put(block(key, journal.next++), Lz4.pack(journal.fresh.toByteArray()));
      journal.written += journal.fresh.size();
      journal.fresh.reset();
    }
  }

  private void writeWhole(String key, byte[] raw, Journal journal) {
    if (raw.length <= small) {
      bytes.put(written(key), raw);
    } else {
      snapshot(key, raw, journal);
      bytes.delete(written(key));
      journal.whole = false;
    }
  }

  private void snapshot(String key, byte[] raw, Journal journal) {
    var packed = Deflated.deflate(raw);
    var old = journal.head;
    int pieces = (packed.length + PIECE - 1) / PIECE;
    journal.head = new Head(old.generation() + 1, pieces, journal.next, raw.length);
    for (int i = 0; i < pieces; i++) {
      int end = Math.min(packed.length, (i + 1) * PIECE);
      bytes.put(
          piece(key, journal.head.generation(), i),
          java.util.Arrays.copyOfRange(packed, i * PIECE, end));
    }
    bytes.put(head(key), journal.head.bytes());
    deletePieces(key, old);
    deleteBlocks(key, old.firstBlock(), journal.next);
    journal.written = 0;
  }

  private void deletePieces(String key, Head head) {
    for (int i = 0; i < head.pieces(); i++) {
      bytes.delete(piece(key, head.generation(), i));
    }
  }

  private void deleteBlocks(String key, long from, long to) {
    for (long number = from; number < to; number++) {
      bytes.delete(block(key, number));
    }
  }

  @Override
  public void clearCache() {
    super.clearCache();
    journals.clear();
  }

  private Journal journal(String key) {
    return journals.computeIfAbsent(key, _ -> new Journal(small > 0));
  }

  private static String head(String key) {
    return written(key) + "\nh";
  }

  private static String piece(String key, long generation, int index) {
    return written(key) + "\ns" + generation + "\n" + index;
  }

  private static String block(String key, long number) {
    return written(key) + "\nj" + number;
  }

  /// The key as the changelog stores it.
  private static String written(String key) {
    return key.replace('\n', '\0');
  }

  private static String given(String written) {
    return written.replace('\0', '\n');
  }
}
