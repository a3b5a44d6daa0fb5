package io.ringside.streams.parse.plain;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads Python's pickle format as far as it holds plain data: the output of PyTorch's flight
/// recorder (torch/csrc/jit/serialization/pickler.cpp, protocol 2), and the same data rewritten by
/// Python itself, up to protocol 5. A pickle is a program. This reader knows only its instructions
/// that push data. It refuses all others, above all those that would name, make or call an object
/// (`GLOBAL`, `REDUCE`, `BUILD` and similar ones).
public final class Pickle {
  /// Highest number of memo slots. A dump uses one for each distinct name.
  private static final int MOST_MEMOS = 1_000_000;

  private static final int MOST_MARKS = 1_000;

  private final ByteBuffer in;
  private final List<Object> stack = new ArrayList<>();
  private final List<Integer> marks = new ArrayList<>();
  private final Map<Long, Object> memo = new HashMap<>();
  private int values;

  private Pickle(byte[] bytes) {
    in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// Whether the bytes begin like a pickle of a supported protocol.
  public static boolean begins(byte[] bytes) {
    return bytes.length > 2 && (bytes[0] & 0xff) == 0x80 && bytes[1] >= 2 && bytes[1] <= 5;
  }

  /// Reads the first value of the bytes; bytes after it are ignored.
  public static Document read(byte[] bytes) {
    if (bytes.length > Document.LARGEST) {
      return new Document.Refused("it is too large to read");
    }
    if (!begins(bytes)) {
      return new Document.Refused("it does not begin like a pickle of protocol 2 to 5");
    }
    try {
      return new Document.Read(new Pickle(bytes).run());
    } catch (BufferUnderflowException e) {
      return new Document.Refused("it is cut off");
    } catch (Refusal e) {
      return new Document.Refused(e.reason);
    }
  }

  private PlainValue run() {
    while (true) {
      int code = in.get() & 0xff;
      switch (code) {
        case 0x80 -> in.get(); // PROTO
        case 0x95 -> in.getLong(); // FRAME, which only announces a length
        case '.' -> {
          return plain(pop());
        }
        case '(' -> mark();
        case 'N' -> push(PlainValue.none());
        case 0x88 -> push(new PlainValue.Truth(true));
        case 0x89 -> push(new PlainValue.Truth(false));
        case 'K' -> push(new PlainValue.Whole(in.get() & 0xff));
        case 'M' -> push(new PlainValue.Whole(in.getShort() & 0xffff));
        case 'J' -> push(new PlainValue.Whole(in.getInt()));
        case 0x8a -> push(new PlainValue.Whole(integer(in.get() & 0xff)));
        case 'G' ->
            push(new PlainValue.Real(Double.longBitsToDouble(Long.reverseBytes(in.getLong()))));
        case 'X' -> push(text(in.getInt()));
        case 0x8c -> push(text(in.get() & 0xff));
        case ']' -> push(Growing.list());
        case '}' -> push(Growing.dictionary());
        case 'a' -> append(List.of(pop()));
        case 'e' -> append(sinceMark());
        case 's' -> {
          var value = pop();
          set(List.of(pop(), value));
        }
        case 'u' -> set(sinceMark());
        case ')' -> tuple(List.of());
        case 't' -> tuple(sinceMark());
        case 0x85 -> tuple(last(1));
        case 0x86 -> tuple(last(2));
        case 0x87 -> tuple(last(3));
        case 'q' -> remember(in.get() & 0xff);
        case 'r' -> remember(in.getInt());
        case 0x94 -> remember(memo.size());
        case 'h' -> recall(in.get() & 0xff);
        case 'j' -> recall(in.getInt());
        default ->
            throw new Refusal(
                "it is no plain data: instruction 0x%02x at byte %d"
                    .formatted(code, in.position() - 1));
      }
    }
  }

  private void push(Object value) {
    if (++values > Document.MOST_VALUES) {
      throw new Refusal("it has too many values");
    }
    stack.add(value);
  }

  private Object pop() {
    int floor = marks.isEmpty() ? 0 : marks.getLast();
    if (stack.size() <= floor) {
      throw new Refusal("it takes a value that is not there");
    }
    return stack.removeLast();
  }

  private void mark() {
    if (marks.size() >= MOST_MARKS) {
      throw new Refusal("its values lie too deep in each other");
    }
    marks.add(stack.size());
  }

  private List<Object> sinceMark() {
    if (marks.isEmpty()) {
      throw new Refusal("it ends a list that was not begun");
    }
    return take(marks.removeLast());
  }

  private List<Object> last(int count) {
    int floor = marks.isEmpty() ? 0 : marks.getLast();
    if (stack.size() - count < floor) {
      throw new Refusal("it takes a value that is not there");
    }
    return take(stack.size() - count);
  }

  private List<Object> take(int from) {
    var tail = stack.subList(from, stack.size());
    var taken = List.copyOf(tail);
    tail.clear();
    return taken;
  }

  private void append(List<Object> added) {
    var list = growing(false);
    for (var value : added) {
      list.deepen(value);
      list.items.add(plain(value));
    }
  }

  private void set(List<Object> added) {
    var fields = growing(true);
    if (added.size() % 2 != 0) {
      throw new Refusal("it has a name without a value");
    }
    for (int i = 0; i < added.size(); i += 2) {
      var key =
          switch (plain(added.get(i))) {
            case PlainValue.Text(var text) -> text;
            case PlainValue.Whole(var number) -> Long.toString(number);
            case PlainValue.Real _,
                PlainValue.Truth _,
                PlainValue.None _,
                PlainValue.Items _,
                PlainValue.Fields _ ->
                throw new Refusal("it has a name that is neither text nor number");
          };
      fields.deepen(added.get(i + 1));
      fields.fields.put(key, plain(added.get(i + 1)));
    }
  }

  /// The list or dictionary on top of the stack, to which values are added.
  private Growing growing(boolean dictionary) {
    if (stack.isEmpty() || !(stack.getLast() instanceof Growing top) || top.tuple) {
      throw new Refusal("it adds to what is no list");
    }
    if (top.dictionary != dictionary) {
      throw new Refusal("it adds to what is no %s".formatted(dictionary ? "dictionary" : "list"));
    }
    if (top.shared) {
      throw new Refusal("it changes a list that it has used before");
    }
    return top;
  }

  private void tuple(List<Object> parts) {
    var tuple = Growing.list();
    for (var part : parts) {
      tuple.deepen(part);
      tuple.items.add(plain(part));
    }
    tuple.tuple = true;
    push(tuple);
  }

  private void remember(long slot) {
    if (stack.isEmpty() || slot < 0 || memo.size() >= MOST_MEMOS) {
      throw new Refusal("it remembers too much");
    }
    memo.put(slot, stack.getLast());
  }

  private void recall(long slot) {
    var value = memo.get(slot);
    if (value == null) {
      throw new Refusal("it recalls what it never said");
    }
    if (value instanceof Growing container) {
      container.shared = true; // else it could become part of itself
    }
    push(value);
  }

  private PlainValue.Text text(int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    var text = new String(in.array(), in.position(), length, UTF_8);
    in.position(in.position() + length);
    return new PlainValue.Text(text);
  }

  /// A little-endian integer with the given number of bytes; the last byte holds its sign.
  private long integer(int length) {
    long value = 0;
    byte last = 0;
    for (int i = 0; i < length; i++) {
      last = in.get();
      if (i < Long.BYTES) {
        value |= (last & 0xffL) << (8 * i);
      }
    }
    if (length > Long.BYTES) {
      return last < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return length > 0 && length < Long.BYTES && last < 0 ? value | (-1L << (8 * length)) : value;
  }

  private static PlainValue plain(Object value) {
    return switch (value) {
      case Growing container -> container.view;
      case PlainValue leaf -> leaf;
      default -> throw new Refusal("it is no plain data");
    };
  }

  /// A list, tuple or dictionary on the stack. Its view shows later additions, too.
  private static final class Growing {
    final List<PlainValue> items;
    final Map<String, PlainValue> fields;
    final boolean dictionary;
    final PlainValue view;
    boolean tuple;
    boolean shared;
    int depth;

    static Growing list() {
      return new Growing(new ArrayList<>(), Map.of(), false);
    }

    static Growing dictionary() {
      return new Growing(List.of(), new LinkedHashMap<>(), true);
    }

    private Growing(List<PlainValue> items, Map<String, PlainValue> fields, boolean dictionary) {
      this.items = items;
      this.fields = fields;
      this.dictionary = dictionary;
      this.view = dictionary ? new PlainValue.Fields(fields) : new PlainValue.Items(items);
    }

    void deepen(Object child) {
      if (child instanceof Growing inner) {
        depth = Math.max(depth, inner.depth + 1);
      }
      if (depth > Document.DEEPEST) {
        throw new Refusal("its values lie too deep in each other");
      }
    }
  }

  /// Stops the reading, with a reason.
  private static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final String reason;

    Refusal(String reason) {
      super(reason, null, false, false);
      this.reason = reason;
    }
  }
}
