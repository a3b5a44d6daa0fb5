package io.ringside.streams.detect;

import io.ringside.streams.examine.Claim;
import io.ringside.streams.examine.Examination;
import java.util.List;

/// Looks for one kind of trouble. Pure: the same examination gives the same claims.
@FunctionalInterface
public interface Detector {
  /// Everything it claims of the run, in full, at this moment: what held before and is not claimed any
  /// more was never so; what has ended is claimed with its end.
  List<Claim> examine(Examination examination);
}
