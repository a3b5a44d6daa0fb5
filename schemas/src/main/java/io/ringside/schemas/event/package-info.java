/// What travels on Ringside's topics: plain records, each with a JSON Schema beside it under
/// `schema/`. They hold data and refuse impossible values; they know nothing of Kafka or files.
@NullMarked
package io.ringside.schemas.event;

import org.jspecify.annotations.NullMarked;
