/// Logs as log stores hand them out: JSON of CloudWatch, Loki, Grafana, Cloud Logging, the journal,
/// Fluent Bit and Vector, CSV and tables, and what a terminal cut. They are read as the lines that
/// they hold, in the form of `kubectl logs --prefix --timestamps`.
@NullMarked
package io.ringside.shipper.source.export;

import org.jspecify.annotations.NullMarked;
