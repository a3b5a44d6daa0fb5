package io.ringside.schemas.serde;

import io.ringside.schemas.event.Text;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/// Reads and writes a {@link Text} as a JSON string.
final class TextModule extends SimpleModule {
  private static final long serialVersionUID = 1;

  TextModule() {
    super("ringside-text");
    addSerializer(new Writer());
    addDeserializer(Text.class, new Reader());
  }

  private static final class Writer extends StdSerializer<Text> {
    Writer() {
      super(Text.class);
    }

    @Override
    public void serialize(Text text, JsonGenerator json, SerializationContext context) {
      json.writeString(text.toString());
    }
  }

  private static final class Reader extends StdDeserializer<Text> {
    Reader() {
      super(Text.class);
    }

    @Override
    public Text deserialize(JsonParser json, DeserializationContext context) {
      return Text.of(json.getString());
    }
  }
}
