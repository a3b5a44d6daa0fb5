package io.ringside.standalone.report;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import java.util.Map;

/// The file and line number of each piece of evidence. Findings contain byte offsets, but editors
/// and code hosts open files at lines.
///
/// @param byPlace lacks evidence that is not from a text file, or from a file exported from a log
///     store
public record LineNumbers(Map<Place, Line> byPlace) {
  public LineNumbers {
    byPlace = Map.copyOf(byPlace);
  }

  /// The location of evidence according to the finding.
  ///
  /// @param offset in bytes, over all rotated parts of the file
  public record Place(String file, long offset) {}

  /// @param file the part that contains the line, if rotation split the file
  /// @param number line number in that part, from 1 on
  public record Line(String file, long number) {}

  /// The finding with the line numbers of its evidence.
  public Finding in(Finding finding) {
    return byPlace.isEmpty()
        ? finding
        : finding.with(its -> its.evidence = finding.evidence().stream().map(this::in).toList());
  }

  private Evidence in(Evidence evidence) {
    var line = byPlace.get(new Place(evidence.file(), evidence.offset()));
    return line == null ? evidence : evidence.in(line.file(), line.number());
  }
}
