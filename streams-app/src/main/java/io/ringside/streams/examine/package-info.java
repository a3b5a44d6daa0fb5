/// A run as detectors see it: its edges, machines, networks and steps, compared with what is
/// expected of them, and the draft in which a detector builds a finding. Reads the state of a job
/// and changes nothing.
@NullMarked
package io.ringside.streams.examine;

import org.jspecify.annotations.NullMarked;
