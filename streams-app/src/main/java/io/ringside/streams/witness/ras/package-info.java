/// What RAS's answers to a run prove: who launched fewer calls than the others and stays there, and
/// who is gone. One answer proves nothing, since a healthy job races with the question; two that
/// are equal do.
@NullMarked
package io.ringside.streams.witness.ras;

import org.jspecify.annotations.NullMarked;
