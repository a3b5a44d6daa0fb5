/// What a run's faults cost: its arrivals are replayed without each of them.
@NullMarked
package io.ringside.streams.bill;

import org.jspecify.annotations.NullMarked;
