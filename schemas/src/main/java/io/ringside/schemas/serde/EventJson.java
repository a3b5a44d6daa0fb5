package io.ringside.schemas.serde;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/// The only JSON mapper for the topics' records. Times are ISO-8601 strings; unknown fields are
/// skipped; maps are written in key order, so that equal records give equal bytes.
public final class EventJson {
  /// Thread-safe and immutable.
  public static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .addModule(new TextModule())
          .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .build();

  private EventJson() {}
}
