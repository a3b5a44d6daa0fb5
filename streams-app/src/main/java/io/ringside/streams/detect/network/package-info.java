/// Detects a fast network that the run was meant to use and does not: InfiniBand, RoCE and the
/// networks of clouds other than EC2. The machine, the variables, the plugin and the other ranks
/// show which network was meant.
@NullMarked
package io.ringside.streams.detect.network;

import org.jspecify.annotations.NullMarked;
