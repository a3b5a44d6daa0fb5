/// Answers of `ncclras`: the ranks of a communicator that lag behind, by NCCL's own count of its
/// calls. Text (NCCL 2.24.3 and later) and JSON (2.28.7 and later) of the RAS client
/// (src/ras/client_support.cc).
@NullMarked
package io.ringside.streams.parse.ras;

import org.jspecify.annotations.NullMarked;
