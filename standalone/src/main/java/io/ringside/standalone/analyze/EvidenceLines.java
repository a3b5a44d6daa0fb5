package io.ringside.standalone.analyze;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.shipper.source.export.Export;
import io.ringside.shipper.source.log.file.ByteSource;
import io.ringside.shipper.source.log.line.LineScan;
import io.ringside.standalone.input.InputFile;
import io.ringside.standalone.input.Inputs;
import io.ringside.standalone.report.LineNumbers;
import io.ringside.standalone.report.LineNumbers.Line;
import io.ringside.standalone.report.LineNumbers.Place;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Finds the line numbers of evidence by reading its files once more, up to the last piece of
/// evidence. Files exported from a log store have no line numbers.
final class EvidenceLines {
  private static final int BUFFER = 1 << 16;

  private final Map<Place, Line> found = new HashMap<>();

  private EvidenceLines() {}

  static LineNumbers of(Inputs inputs, Collection<Finding> findings) {
    var wanted = new TreeMap<String, TreeSet<Long>>();
    for (var finding : findings) {
      for (Evidence evidence : finding.evidence()) {
        if (evidence.offset() >= 0) {
          wanted.computeIfAbsent(evidence.file(), _ -> new TreeSet<>()).add(evidence.offset());
        }
      }
    }
    var lines = new EvidenceLines();
    for (var file : inputs.of(InputFile.Kind.LOG)) {
      var offsets = wanted.get(file.name());
      if (offsets != null) {
        lines.read(file, offsets);
      }
    }
    return new LineNumbers(lines.found);
  }

  private void read(InputFile file, TreeSet<Long> offsets) {
    long start = 0;
    try {
      for (var part : file.parts()) {
        if (offsets.ceiling(start) == null) {
          return;
        }
        start += read(file, part, start, offsets);
      }
    } catch (IOException e) {
      // it was readable before and is now gone or damaged: the offset alone must do
    }
  }

  /// @param start offset of the part, in bytes from the beginning of the first part
  /// @return size of the part in bytes, or the bytes read up to the last offset
  private long read(InputFile file, InputFile.Part part, long start, TreeSet<Long> offsets)
      throws IOException {
    var buffer = new byte[BUFFER];
    long position = 0;
    long line = 1;
    var next = offsets.ceiling(start);
    try (var bytes = ByteSource.open(part.path())) {
      while (next != null) {
        int read = bytes.read(buffer, position);
        if (position == 0 && Export.recognise(buffer, read) != null) {
          return read;
        }
        int counted = 0;
        while (next != null && next < start + position + read) {
          int at = (int) (next - start - position);
          line += LineScan.count(buffer, (byte) '\n', counted, at);
          counted = at;
          found.put(new Place(file.name(), next), new Line(part.name(), line));
          next = offsets.higher(next);
        }
        line += LineScan.count(buffer, (byte) '\n', counted, read);
        position += read;
        if (read < buffer.length) {
          break;
        }
      }
    }
    return position;
  }
}
