/// What the flight recorder's dumps of a run prove: who lacks which call, whose call differs, who
/// left no dump. Pure: the same dumps give the same verdict, and what they do not prove is not
/// said.
@NullMarked
package io.ringside.streams.witness.dump;

import org.jspecify.annotations.NullMarked;
