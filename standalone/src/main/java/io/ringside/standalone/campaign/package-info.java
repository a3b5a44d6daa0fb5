/// The command `report`: sums up the ledger of all runs. It judges nothing itself.
@NullMarked
package io.ringside.standalone.campaign;

import org.jspecify.annotations.NullMarked;
