/// Reports on the node: that the agent is alive, the state of its sources, and the network's
/// traffic. Knows the other sources only by their names and beats.
@NullMarked
package io.ringside.shipper.source.node;

import org.jspecify.annotations.NullMarked;
