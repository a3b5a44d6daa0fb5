/// What NCCL's Inspector proves without any clock: in a round in which others waited, the rank with
/// the shortest own time is the one they waited for.
@NullMarked
package io.ringside.streams.witness.inspector;

import org.jspecify.annotations.NullMarked;
