/// All detectors over one run: what they find is put together, causes swallow their effects, and a
/// finding that comes and goes is held. The list of detectors is here.
@NullMarked
package io.ringside.streams.judge;

import org.jspecify.annotations.NullMarked;
