/// Handles bytes eight at a time, as every hot loop of agent and service does. The lowest layer:
/// texts build on it.
@NullMarked
package io.ringside.schemas.bytes;

import org.jspecify.annotations.NullMarked;
