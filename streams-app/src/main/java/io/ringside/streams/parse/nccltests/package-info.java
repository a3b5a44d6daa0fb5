/// nccl-tests: the table of sizes and bandwidths and the comments around it.
/// Shapes of 2.13 to 2.19.
@NullMarked
package io.ringside.streams.parse.nccltests;

import org.jspecify.annotations.NullMarked;
