/// Lives of jobs, played second by second through the whole topology: what has to be shown at which
/// second follows from what happened in the script, never from what Ringside made of it.
@org.jspecify.annotations.NullMarked
package io.ringside.lab.lives;
