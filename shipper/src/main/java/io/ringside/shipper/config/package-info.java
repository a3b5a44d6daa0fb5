/// The user's settings for the agent, as records that validate themselves, and values derived from
/// them, such as the owner of a file. Knows paths and names, but reads no log.
@NullMarked
package io.ringside.shipper.config;

import org.jspecify.annotations.NullMarked;
