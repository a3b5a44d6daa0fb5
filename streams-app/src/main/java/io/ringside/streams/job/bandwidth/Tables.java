package io.ringside.streams.job.bandwidth;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.NcclTestsEvent;
import java.util.ArrayList;
import java.util.List;

/// The tables of one log file, the newest {@value #MAX_TABLES}.
public final class Tables {
  private static final int MAX_TABLES = 16;

  private final List<Table> tables = new ArrayList<>();

  /// Reads one line. Lines come in order.
  public void note(NcclTestsEvent event, Evidence line) {
    switch (event) {
      case NcclTestsEvent.Started e -> {
        next();
        tables.getLast().started(e.program());
      }
      case NcclTestsEvent.Device e -> {
        if (e.rank() == 0) {
          next();
        }
        current().device(e, line);
      }
      case NcclTestsEvent.Row e -> current().row(e, line);
      case NcclTestsEvent.RowBegin e -> current().begin(e, line);
      case NcclTestsEvent.Half e -> {
        if (!tables.isEmpty()) {
          current().half(e); // four numbers outside of a table are not from nccl-tests
        }
      }
      case NcclTestsEvent.AverageBandwidth _ -> current().end();
      case NcclTestsEvent.OutOfBounds e -> current().outOfBounds(e, line);
    }
  }

  /// Ends the current table if it has rows.
  private void next() {
    if (current().begun()) {
      current().end();
      tables.add(new Table());
    }
    if (tables.size() > MAX_TABLES) {
      tables.removeFirst();
    }
  }

  private Table current() {
    if (tables.isEmpty()) {
      tables.add(new Table());
    }
    return tables.getLast();
  }

  /// Tables, oldest first.
  public List<Table> tables() {
    return tables;
  }
}
