/// The agent's report on its node: that it lives, how its sources fare, what the network carries.
/// Knows the other sources by their names and beats only.
@NullMarked
package io.ringside.shipper.source.node;

import org.jspecify.annotations.NullMarked;
