/// Turns the records of the topics into JSON bytes and back. Reading is lenient about unknown
/// fields, so that an old service survives a newer agent; writing is exact.
@NullMarked
package io.ringside.schemas.serde;

import org.jspecify.annotations.NullMarked;
