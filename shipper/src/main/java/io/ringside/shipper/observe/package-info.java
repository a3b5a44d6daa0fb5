/// The agent's metrics, its probes, and the HTTP page that serves them. Knows the counters of the
/// other packages; they do not know this one.
@NullMarked
package io.ringside.shipper.observe;

import org.jspecify.annotations.NullMarked;
