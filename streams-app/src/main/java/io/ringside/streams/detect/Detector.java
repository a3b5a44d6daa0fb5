package io.ringside.streams.detect;

import io.ringside.schemas.event.Finding;
import io.ringside.streams.examine.Examination;
import java.util.List;

/// Looks for one kind of trouble. Pure: the same examination gives the same findings.
@FunctionalInterface
public interface Detector {
  /// All findings about the run at this moment, complete on each call. A finding that was returned
  /// before and is missing now was wrong. A problem that is over stays in the list, with its end.
  List<Finding> examine(Examination examination);
}
