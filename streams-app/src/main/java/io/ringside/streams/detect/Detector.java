package io.ringside.streams.detect;

import io.ringside.schemas.event.Finding;
import io.ringside.streams.examine.Examination;
import java.util.List;

/// Looks for one kind of trouble. Pure: the same examination gives the same findings.
@FunctionalInterface
public interface Detector {
  /// Everything it finds of the run, in full, at this moment: what held before and is not found any
  /// more was never so; what has ended is told with its end.
  List<Finding> examine(Examination examination);
}
