@NullMarked
package io.ringside.streams.ledger.campaign;

import org.jspecify.annotations.NullMarked;
