/// NCCL's own lines and those of its network plugins: the header, the families, and the known lines
/// that are of no use. Source: NCCL, tags 2.3.5 to 2.30.7, and aws-ofi-nccl 1.0.0 to 1.21.1.
@NullMarked
package io.ringside.streams.parse.nccl;

import org.jspecify.annotations.NullMarked;
