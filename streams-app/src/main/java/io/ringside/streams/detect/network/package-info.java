/// A fast network that was wanted and is not used: InfiniBand, RoCE and the networks of clouds
/// other than EC2. What was wanted is told by the machine, the variables, the plugin and the other
/// ranks.
@NullMarked
package io.ringside.streams.detect.network;

import org.jspecify.annotations.NullMarked;
