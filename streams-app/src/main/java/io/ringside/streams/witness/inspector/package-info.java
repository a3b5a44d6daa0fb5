/// What NCCL's Inspector proves without any clock: if others waited in a round, they waited for the
/// rank with the shortest own time.
@NullMarked
package io.ringside.streams.witness.inspector;

import org.jspecify.annotations.NullMarked;
