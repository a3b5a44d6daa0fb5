package io.ringside.standalone.report;

import io.ringside.schemas.event.Evidence;
import java.util.Map;
import java.util.Optional;

/// In which line of which file each piece of evidence stands: editors and code hosts open files by lines, findings
/// carry offsets.
///
/// @param byPlace what is not in it was read from no text file, or from one that was exported from a log store
public record LineNumbers(Map<Place, Line> byPlace) {
  /// Of evidence whose files are not at hand.
  public static final LineNumbers NONE = new LineNumbers(Map.of());

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

  Optional<Line> of(Evidence evidence) {
    return Optional.ofNullable(byPlace.get(new Place(evidence.file(), evidence.offset())));
  }

  /// The file to open, whether or not the line is known.
  String file(Evidence evidence) {
    return of(evidence).map(Line::file).orElse(evidence.file());
  }
}
