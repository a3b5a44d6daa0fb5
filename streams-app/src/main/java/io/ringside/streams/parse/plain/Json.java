package io.ringside.streams.parse.plain;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Reads one JSON document of plain data.
public final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonParser parser;
  private int values;

  private Json(JsonParser parser) {
    this.parser = parser;
  }

  /// Reads a document; text after it is ignored.
  public static Document read(byte[] bytes) {
    if (bytes.length > Document.LARGEST) {
      return new Document.Refused("it is too large to read");
    }
    return read(new String(bytes, UTF_8));
  }

  /// Reads a document; text after it is ignored.
  public static Document read(String text) {
    try (var parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      var token = parser.nextToken();
      return token == null
          ? new Document.Refused("it is empty")
          : new Document.Read(new Json(parser).value(token, 0));
    } catch (JacksonException | TooMuch e) {
      return new Document.Refused("it is no whole JSON document");
    }
  }

  private PlainValue value(JsonToken token, int depth) {
    if (++values > Document.MOST_VALUES || depth > Document.DEEPEST) {
      throw new TooMuch();
    }
    return switch (token) {
      case START_OBJECT -> fields(depth);
      case START_ARRAY -> items(depth);
      case VALUE_STRING -> new PlainValue.Text(parser.getString());
      case VALUE_NUMBER_INT -> new PlainValue.Whole(whole());
      case VALUE_NUMBER_FLOAT -> new PlainValue.Real(parser.getDoubleValue());
      case VALUE_TRUE -> new PlainValue.Truth(true);
      case VALUE_FALSE -> new PlainValue.Truth(false);
      default -> PlainValue.none();
    };
  }

  private long whole() {
    return switch (parser.getNumberType()) {
      case INT, LONG -> parser.getLongValue();
      default -> parser.getBigIntegerValue().signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    };
  }

  private PlainValue fields(int depth) {
    var fields = new LinkedHashMap<String, PlainValue>();
    for (var name = parser.nextName(); name != null; name = parser.nextName()) {
      fields.put(name, value(next(), depth + 1));
    }
    return new PlainValue.Fields(fields);
  }

  private PlainValue items(int depth) {
    var items = new ArrayList<PlainValue>();
    for (var token = next(); token != JsonToken.END_ARRAY; token = next()) {
      items.add(value(token, depth + 1));
    }
    return new PlainValue.Items(items);
  }

  private JsonToken next() {
    var token = parser.nextToken();
    if (token == null) {
      throw new TooMuch();
    }
    return token;
  }

  /// The document exceeds a limit of the reader, or ends too early.
  private static final class TooMuch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooMuch() {
      super("more than is read", null, false, false);
    }
  }
}
