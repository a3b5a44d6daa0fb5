package io.ringside.lab.evaluate;

import io.ringside.lab.simulate.JobGenerator.Ends;
import io.ringside.lab.simulate.JobKind;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunBill;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a job's faults cost beside what its bill says.
///
/// @param job in words, with what is needed to generate it again
/// @param hard what makes the fault hard to find, empty if nothing does
/// @param saved seconds by which the job would have been through sooner without its faults: the
///     same chance played without them
/// @param seconds that the job took
/// @param bill of its last run, null where nothing has a price
/// @param outlook what was said in the midst of its fault, null where nothing holds for a time
record BillTrial(
    String job,
    JobKind kind,
    String hard,
    double saved,
    double seconds,
    @Nullable RunBill bill,
    @Nullable OutlookTrial outlook) {
  /// Kinds that take time by themselves.
  private static final Set<FindingKind> BILLED =
      EnumSet.of(
          FindingKind.STRAGGLER,
          FindingKind.BARRIER_WAIT,
          FindingKind.STEP_REGRESSION,
          FindingKind.LATE_START,
          FindingKind.HANG);

  static BillTrial of(
      String job,
      JobKind kind,
      String hard,
      Ends ends,
      double begun,
      @Nullable RunBill bill,
      @Nullable OutlookTrial outlook) {
    return new BillTrial(job, kind, hard, ends.saved(), ends.with() - begun, bill, outlook);
  }

  /// Whether anything was billed.
  boolean billed() {
    return bill != null && !bill.items().isEmpty();
  }

  /// Whether something was found that has no price.
  boolean unpriced() {
    return bill != null
        && bill.items().isEmpty()
        && bill.notBilled().stream().anyMatch(each -> BILLED.contains(each.cause()));
  }

  /// Seconds of all items.
  double said() {
    return bill == null ? 0 : bill.items().stream().mapToDouble(RunBill.Item::seconds).sum();
  }

  /// How wrong it is, as a share of what is true.
  double error() {
    return Math.abs(said() - saved) / saved;
  }

  /// Whether the truth lies where the bill says that it does.
  boolean within() {
    return bill != null
        && bill.items().stream().mapToDouble(RunBill.Item::lowSeconds).sum() <= saved
        && saved <= bill.items().stream().mapToDouble(RunBill.Item::highSeconds).sum();
  }
}
