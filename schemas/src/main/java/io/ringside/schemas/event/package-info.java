/// The records on Ringside's topics: plain data, each with a JSON Schema beside it under `schema/`.
/// They reject impossible values; they know nothing of Kafka or files.
@NullMarked
package io.ringside.schemas.event;

import org.jspecify.annotations.NullMarked;
