/// What RAS's answers about a run prove: which ranks launched fewer calls than the others and stay
/// behind, and which are gone. One answer proves nothing, because a healthy job moves on during the
/// query; two equal answers do.
@NullMarked
package io.ringside.streams.witness.ras;

import org.jspecify.annotations.NullMarked;
