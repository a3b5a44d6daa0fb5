/// Converts the records of the topics to JSON bytes and back. Reading ignores unknown fields, so
/// that an old service can read records of a newer agent; writing is exact.
@NullMarked
package io.ringside.schemas.serde;

import org.jspecify.annotations.NullMarked;
