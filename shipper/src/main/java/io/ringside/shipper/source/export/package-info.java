/// Reads logs exported from log stores: JSON of CloudWatch, Loki, Grafana, Cloud Logging, the
/// journal, Fluent Bit and Vector, CSV and tables, and text broken by a terminal. Returns their
/// lines in the form of `kubectl logs --prefix --timestamps`.
@NullMarked
package io.ringside.shipper.source.export;

import org.jspecify.annotations.NullMarked;
