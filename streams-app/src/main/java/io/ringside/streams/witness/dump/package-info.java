/// What the flight recorder's dumps of a run prove: which rank lacks which call, whose call
/// differs, which rank left no dump. Pure: the same dumps give the same verdict, and nothing
/// unproved is reported.
@NullMarked
package io.ringside.streams.witness.dump;

import org.jspecify.annotations.NullMarked;
