/// Shows results to a user at a terminal or in other formats. Pure functions of the ledger and the
/// findings: no files, no clock, no Kafka.
@NullMarked
package io.ringside.standalone.report;

import org.jspecify.annotations.NullMarked;
