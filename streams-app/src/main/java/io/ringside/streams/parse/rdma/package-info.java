/// The text of `rdma statistic show`.
@NullMarked
package io.ringside.streams.parse.rdma;

import org.jspecify.annotations.NullMarked;
