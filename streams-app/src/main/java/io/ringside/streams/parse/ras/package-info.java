/// What `ncclras` answers: which ranks of a communicator lag behind, as NCCL itself counts its
/// calls. Plain text of the RAS client, NCCL 2.24.3 and later (src/ras/client_support.cc).
@NullMarked
package io.ringside.streams.parse.ras;

import org.jspecify.annotations.NullMarked;
