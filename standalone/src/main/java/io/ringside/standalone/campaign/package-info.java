/// The command `report`: what the ledger says of all runs together. It judges nothing itself.
@NullMarked
package io.ringside.standalone.campaign;

import org.jspecify.annotations.NullMarked;
