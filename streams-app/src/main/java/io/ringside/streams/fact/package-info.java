/// What lines, samples and topologies state about one job, in compact form: the records of the
/// repartition topic between the join by node and the join by job. Plain data.
@NullMarked
package io.ringside.streams.fact;

import org.jspecify.annotations.NullMarked;
