/// What the user tells the agent, as records that validate themselves, and what follows from it:
/// who a file belongs to. Knows paths and names, but reads no log.
@NullMarked
package io.ringside.shipper.config;

import org.jspecify.annotations.NullMarked;
