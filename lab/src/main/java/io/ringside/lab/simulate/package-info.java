/// Generates training jobs whose truth is known: their log lines, GPU samples and topologies as
/// agents would send them, out of a plan and a seed. Pure but for the command that drives a broker
/// with them.
@NullMarked
package io.ringside.lab.simulate;

import org.jspecify.annotations.NullMarked;
