package io.ringside.schemas.serde;

import io.ringside.schemas.bytes.EightBytes;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Reads the JSON of a {@link LogChunk} in the exact form in which {@link ChunkJson} and
/// {@link EventSerde} write it, copying the lines directly from bytes to bytes. Anything else, such
/// as other fields or another order, is left to the general reader. Thread-safe. More lenient than
/// the general reader in one respect: text that is not valid UTF-8 is taken as it is.
final class ChunkJsonReader {
  private static final int MOST_SOURCES = 4_096;

  private final Map<SourceJson, LogSource> sources = new ConcurrentHashMap<>();

  /// The chunk, or null if the general reader must decide.
  @Nullable LogChunk read(byte[] json) {
    try {
      return new Reading(json).chunk();
    } catch (OtherForm | IndexOutOfBoundsException | DateTimeParseException e) {
      return null;
    }
  }

  /// The JSON bytes of a source, as a key to find the source without parsing it.
  private record SourceJson(byte[] json) {
    @Override
    public boolean equals(Object other) {
      return other instanceof SourceJson that && Arrays.equals(json, that.json);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(json);
    }

    @Override
    public String toString() {
      return new String(json, StandardCharsets.UTF_8);
    }
  }

  private LogSource source(byte[] json, int from, int to) {
    var key = new SourceJson(Arrays.copyOfRange(json, from, to));
    var known = sources.get(key);
    if (known == null) {
      known = EventJson.MAPPER.readValue(key.json(), LogSource.class);
      if (sources.size() >= MOST_SOURCES) {
        sources.clear();
      }
      sources.put(key, known);
    }
    return known;
  }

  /// The bytes do not have the known form.
  private static final class OtherForm extends Exception {
    private static final long serialVersionUID = 1;

    OtherForm() {
      super(null, null, false, false);
    }
  }

  /// One pass over the bytes.
  private final class Reading {
    private final byte[] json;
    private int at;

    Reading(byte[] json) {
      this.json = json;
    }

    LogChunk chunk() throws OtherForm {
      expect("{\"source\":");
      int from = at;
      // a source contains braces only inside its strings
      skipObject();
      var source = source(json, from, at);
      expect(",\"epoch\":");
      long epoch = number();
      expect(",\"sequence\":");
      long sequence = number();
      expect(",\"firstOffset\":");
      long firstOffset = number();
      expect(",\"nextOffset\":");
      long nextOffset = number();
      expect(",\"readAt\":\"");
      var readAt = instant();
      expect(",\"live\":");
      boolean live = truth();
      expect(",\"end\":");
      boolean end = truth();
      expect(",\"text\":\"");
      var text = text();
      expect(",\"offsets\":");
      var offsets = ints();
      expect(",\"baseNanos\":");
      long baseNanos = number();
      expect(",\"nanos\":");
      var nanos = longs(offsets.length);
      expect(",\"cut\":");
      var cut = ints();
      expect("}");
      if (at != json.length) {
        throw new OtherForm();
      }
      return new LogChunk(
          source,
          epoch,
          sequence,
          firstOffset,
          nextOffset,
          readAt,
          live,
          end,
          text,
          offsets,
          baseNanos,
          nanos,
          cut);
    }

    private void expect(String ascii) throws OtherForm {
      for (int i = 0; i < ascii.length(); i++) {
        if (json[at + i] != ascii.charAt(i)) {
          throw new OtherForm();
        }
      }
      at += ascii.length();
    }

    private void skipObject() throws OtherForm {
      if (json[at] != '{') {
        throw new OtherForm();
      }
      boolean quoted = false;
      for (at++; quoted || json[at] != '}'; at++) {
        if (json[at] == '\\') {
          at++;
        } else if (json[at] == '"') {
          quoted = !quoted;
        } else if (!quoted && (json[at] == '{' || json[at] == '[')) {
          throw new OtherForm();
        }
      }
      at++;
    }

    private Instant instant() throws OtherForm {
      int from = at;
      while (json[at] != '"') {
        at++;
      }
      var instant = Instant.parse(new String(json, from, at - from, StandardCharsets.US_ASCII));
      at++;
      return instant;
    }

    private boolean truth() throws OtherForm {
      boolean truth = json[at] == 't';
      expect(truth ? "true" : "false");
      return truth;
    }

    private long number() throws OtherForm {
      boolean negative = json[at] == '-';
      if (negative) {
        at++;
      }
      int from = at;
      long value = 0;
      // counts downwards, since the smallest long has no positive counterpart
      for (; json[at] >= '0' && json[at] <= '9'; at++) {
        value = value * 10 - (json[at] - '0');
      }
      int digits = at - from;
      boolean padded = digits > 1 && json[from] == '0';
      if (digits == 0
          || digits > 19
          || padded
          || value > 0
          || (value == Long.MIN_VALUE && !negative)) {
        throw new OtherForm();
      }
      return negative ? value : -value;
    }

    private int[] ints() throws OtherForm {
      open();
      var values = new int[16];
      int count = 0;
      while (json[at] != ']') {
        if (count > 0) {
          expect(",");
        }
        if (count == values.length) {
          values = Arrays.copyOf(values, count * 2);
        }
        long value = number();
        if (value != (int) value) {
          throw new OtherForm();
        }
        values[count++] = (int) value;
      }
      at++;
      return Arrays.copyOf(values, count);
    }

    private long[] longs(int most) throws OtherForm {
      open();
      var values = new long[most];
      int count = 0;
      while (json[at] != ']') {
        if (count > 0) {
          expect(",");
        }
        values[count++] = number();
      }
      at++;
      return count == most ? values : Arrays.copyOf(values, count);
    }

    private void open() throws OtherForm {
      if (json[at] != '[') {
        throw new OtherForm();
      }
      at++;
    }

    /// Reads a string including its closing quote.
    private Text text() throws OtherForm {
      var bytes = new byte[json.length - at];
      int length = 0;
      while (true) {
        int special = special(at);
        System.arraycopy(json, at, bytes, length, special - at);
        length += special - at;
        at = special + 1;
        if (json[special] == '"') {
          return Text.of(Arrays.copyOf(bytes, length));
        }
        at = unescape(at, bytes, length++);
      }
    }

    /// Index of the next quote or backslash.
    private int special(int from) {
      int i = from;
      for (; i <= json.length - Long.BYTES; i += Long.BYTES) {
        long bytes = EightBytes.at(json, i);
        long found = EightBytes.equal(bytes, '"') | EightBytes.equal(bytes, '\\');
        if (found != 0) {
          return i + EightBytes.first(found);
        }
      }
      while (json[i] != '"' && json[i] != '\\') {
        i++;
      }
      return i;
    }

    private int unescape(int index, byte[] into, int position) throws OtherForm {
      into[position] =
          switch (json[index]) {
            case 'n' -> (byte) '\n';
            case 't' -> (byte) '\t';
            case 'r' -> (byte) '\r';
            case 'b' -> (byte) '\b';
            case 'f' -> (byte) '\f';
            case '"', '\\', '/' -> json[index];
            case 'u' -> control(index + 1);
            default -> throw new OtherForm();
          };
      return index + (json[index] == 'u' ? 5 : 1);
    }

    /// A character escaped by its number. Only control characters are, and each is one byte in
    /// UTF-8.
    private byte control(int index) throws OtherForm {
      int value = 0;
      for (int i = 0; i < 4; i++) {
        int digit = Character.digit(json[index + i], 16);
        if (digit < 0) {
          throw new OtherForm();
        }
        value = value * 16 + digit;
      }
      if (value >= 0x80) {
        throw new OtherForm();
      }
      return (byte) value;
    }
  }
}
