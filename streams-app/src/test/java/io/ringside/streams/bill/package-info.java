/// What faults cost.
@NullMarked
package io.ringside.streams.bill;

import org.jspecify.annotations.NullMarked;
