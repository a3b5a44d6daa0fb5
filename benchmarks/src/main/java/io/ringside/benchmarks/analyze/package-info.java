/// Makes logs to time `analyze` with: what it costs, and that a change of it does not cost more.
@NullMarked
package io.ringside.benchmarks.analyze;

import org.jspecify.annotations.NullMarked;
