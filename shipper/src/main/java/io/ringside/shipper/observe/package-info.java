/// What the agent says about itself: meters, probes, and the page they are on. Knows the counters
/// of the other packages; they do not know it.
@NullMarked
package io.ringside.shipper.observe;

import org.jspecify.annotations.NullMarked;
