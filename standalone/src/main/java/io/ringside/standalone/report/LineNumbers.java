package io.ringside.standalone.report;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import java.util.Map;

/// In which line of which file each piece of evidence stands: editors and code hosts open files by
/// lines, findings carry offsets.
///
/// @param byPlace what is not in it was read from no text file, or from one that was exported from
///   a log store
public record LineNumbers(Map<Place, Line> byPlace) {
  public LineNumbers {
    byPlace = Map.copyOf(byPlace);
  }

  /// Where a finding says that its evidence is.
  ///
  /// @param offset in bytes, over all parts that rotation made of the file
  public record Place(String file, long offset) {}

  /// @param file the part that holds it, where rotation made several of the file
  /// @param number of the line in that part, from 1 on
  public record Line(String file, long number) {}

  /// The finding with the lines in which its evidence stands.
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
