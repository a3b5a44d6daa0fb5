/// Shows what was found to a person at a terminal, or as one JSON document. Pure functions of the
/// ledger and the findings: no files, no clock, no Kafka.
@NullMarked
package io.ringside.standalone.report;

import org.jspecify.annotations.NullMarked;
