package io.ringside.streams.parse.plain;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes plain data as PyTorch's pickler does: protocol 2, names remembered and recalled.
public final class PickleWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Map<String, Integer> memo = new HashMap<>();

  private PickleWriter() {}

  /// Maps, lists, texts, longs, doubles, booleans and null.
  public static byte[] of(@Nullable Object value) {
    var writer = new PickleWriter();
    writer.out.writeBytes(new byte[] {(byte) 0x80, 2});
    writer.value(value);
    writer.out.write('.');
    return writer.out.toByteArray();
  }

  private void value(@Nullable Object value) {
    switch (value) {
      case null -> out.write('N');
      case String text -> text(text);
      case Boolean truth -> out.write(truth ? 0x88 : 0x89);
      case Double real ->
          out.writeBytes(ByteBuffer.allocate(9).put((byte) 'G').putDouble(real).array());
      case Number number -> whole(number.longValue());
      case List<?> items -> {
        out.write(']');
        out.write('(');
        items.forEach(this::value);
        out.write('e');
      }
      case Map<?, ?> fields -> {
        out.write('}');
        out.write('(');
        fields.forEach(
            (name, field) -> {
              value(name);
              value(field);
            });
        out.write('u');
      }
      default -> throw new IllegalArgumentException(value.toString());
    }
  }

  private void whole(long number) {
    if (number >= 0 && number < 256) {
      out.write('K');
      out.write((int) number);
    } else if (number == (int) number) {
      out.writeBytes(little(5).put((byte) 'J').putInt((int) number).array());
    } else {
      out.writeBytes(little(10).put((byte) 0x8a).put((byte) 8).putLong(number).array());
    }
  }

  private void text(String text) {
    var known = memo.get(text);
    if (known != null) {
      out.writeBytes(little(5).put((byte) 'j').putInt(known).array());
      return;
    }
    var bytes = text.getBytes(UTF_8);
    out.writeBytes(little(5).put((byte) 'X').putInt(bytes.length).array());
    out.writeBytes(bytes);
    memo.put(text, memo.size());
    out.writeBytes(little(5).put((byte) 'r').putInt(memo.get(text)).array());
  }

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
