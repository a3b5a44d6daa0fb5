package io.ringside.streams.parse.inspector;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One call's line as the Inspector writes it: three objects in one, without blanks, escapes and
/// lists. Takes a fraction of the time of a JSON reader, which reads every other line; a fleet
/// writes tens of thousands of them a second. Holds one line at a time; not thread-safe.
final class CallLine {
  private static final int MOST_DIGITS = 18;

  /// The fields that are read, in the order in which 2.28 to 2.30 write them.
  enum Field {
    ID("header", "id"),
    RANK("header", "rank"),
    RANKS("header", "n_ranks"),
    NODES("header", "nnodes"),
    RECORDED_AT("metadata", "dump_timestamp_us"),
    HOST("metadata", "hostname"),
    PID("metadata", "pid"),
    OPERATION("coll_perf", "coll"),
    SEQUENCE("coll_perf", "coll_sn"),
    BYTES("coll_perf", "coll_msg_size_bytes"),
    MICROS("coll_perf", "coll_exec_time_us"),
    TIMED_BY("coll_perf", "coll_timing_source"),
    BUS_BANDWIDTH("coll_perf", "coll_busbw_gbs");

    private static final Field[] ALL = values();

    private final String object;
    private final String key;

    Field(String object, String key) {
      this.object = object;
      this.key = key;
    }
  }

  private enum Kind {
    ABSENT,
    TEXT,
    WHOLE,
    REAL
  }

  private final Kind[] kinds = new Kind[Field.ALL.length];
  private final int[] from = new int[Field.ALL.length];
  private final int[] to = new int[Field.ALL.length];
  private String line = "";
  private int at;
  private int next;
  private Kind kind = Kind.ABSENT;
  private int valueFrom;
  private int valueTo;

  /// Takes this line; false if it has another form, and then its fields must not be asked for.
  boolean take(String line) {
    this.line = line;
    at = 0;
    next = 0;
    Arrays.fill(kinds, Kind.ABSENT);
    return objects() && at == line.length();
  }

  /// A text, empty if there is none.
  String text(Field field) {
    return kinds[field.ordinal()] == Kind.TEXT ? value(field) : "";
  }

  /// A number without its fraction, `otherwise` if there is none.
  long whole(Field field, long otherwise) {
    return switch (kinds[field.ordinal()]) {
      case WHOLE -> Long.parseLong(line, from[field.ordinal()], to[field.ordinal()], 10);
      case REAL -> (long) Double.parseDouble(value(field));
      case ABSENT, TEXT -> otherwise;
    };
  }

  /// A number, 0 if there is none.
  double real(Field field) {
    return switch (kinds[field.ordinal()]) {
      case WHOLE, REAL -> Double.parseDouble(value(field));
      case ABSENT, TEXT -> 0;
    };
  }

  private String value(Field field) {
    return line.substring(from[field.ordinal()], to[field.ordinal()]);
  }

  private boolean objects() {
    if (!skip('{')) {
      return false;
    }
    do {
      if (!string() || !fields(valueFrom, valueTo)) {
        return false;
      }
    } while (skip(','));
    return skip('}');
  }

  /// Reads `:{"key":value,…}` of the object with the name in this range.
  private boolean fields(int nameFrom, int nameTo) {
    if (!skip(':') || !skip('{')) {
      return false;
    }
    do {
      if (!string()) {
        return false;
      }
      var field = field(nameFrom, nameTo, valueFrom, valueTo);
      if (!skip(':') || !(string() || number())) {
        return false;
      }
      if (field != null && !note(field)) {
        return false;
      }
    } while (skip(','));
    return skip('}');
  }

  /// The field with this key, searched from the one that follows the last.
  private @Nullable Field field(int nameFrom, int nameTo, int keyFrom, int keyTo) {
    for (int i = 0; i < Field.ALL.length; i++) {
      var field = Field.ALL[(next + i) % Field.ALL.length];
      if (is(field.key, keyFrom, keyTo) && is(field.object, nameFrom, nameTo)) {
        next = field.ordinal() + 1;
        return field;
      }
    }
    return null;
  }

  private boolean is(String word, int from, int to) {
    return to - from == word.length() && line.startsWith(word, from);
  }

  private boolean note(Field field) {
    int index = field.ordinal();
    boolean first = kinds[index] == Kind.ABSENT;
    kinds[index] = kind;
    from[index] = valueFrom;
    to[index] = valueTo;
    return first;
  }

  private boolean string() {
    if (!skip('"')) {
      return false;
    }
    kind = Kind.TEXT;
    valueFrom = at;
    while (at < line.length()) {
      char c = line.charAt(at++);
      if (c == '"') {
        valueTo = at - 1;
        return true;
      }
      if (c == '\\' || c < ' ') {
        return false;
      }
    }
    return false;
  }

  private boolean number() {
    valueFrom = at;
    skip('-');
    int digits = digits();
    if (digits == 0 || digits > MOST_DIGITS || digits > 1 && line.charAt(at - digits) == '0') {
      return false;
    }
    kind = Kind.WHOLE;
    if (skip('.')) {
      kind = Kind.REAL;
      if (digits() == 0) {
        return false;
      }
    }
    valueTo = at;
    return true;
  }

  private int digits() {
    int begin = at;
    while (at < line.length() && line.charAt(at) >= '0' && line.charAt(at) <= '9') {
      at++;
    }
    return at - begin;
  }

  private boolean skip(char c) {
    boolean here = at < line.length() && line.charAt(at) == c;
    at += here ? 1 : 0;
    return here;
  }
}
