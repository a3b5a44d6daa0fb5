package io.ringside.streams.bill;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunBill.Item;
import io.ringside.schemas.event.RunBill.NotBilled;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.ObservationMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Builds a run's bill: the cost of each finding that took the run's time, listed under its root
/// cause.
public final class Bill {
  private Bill() {}

  /// @param examination with the run's summary, by which comparable earlier runs are found
  /// @param found all findings of the run, each with its cause
  /// @param state the run's state, given all findings
  /// @param ended when the run ended or was last seen, null if its lines have no times
  /// @return null if no finding takes time
  public static @Nullable RunBill of(
      Examination examination,
      List<Finding> found,
      RunSummary.State state,
      @Nullable Instant ended) {
    var until =
        stands(examination, found, state, ended)
            ? examination.now()
            : stoodUntil(examination, found, ended);
    var byId = new HashMap<String, Finding>();
    found.forEach(finding -> byId.put(finding.id(), finding));
    var notBilled = new ArrayList<NotBilled>();
    var entries = new ArrayList<Entry>();
    for (var finding : found) {
      if (takesTime(finding, found) && !explained(finding, byId)) {
        var root = root(finding, byId);
        switch (Charges.of(finding, found, examination, until)) {
          case Charge.Known known -> entries.add(new Entry(root, finding, known));
          case Charge.Unknown unknown ->
              notBilled.add(new NotBilled(root.kind(), root.id(), unknown.because()));
        }
      }
    }
    var named = entries.stream().map(entry -> entry.root().id()).collect(Collectors.toSet());
    var prices =
        found.stream()
            .filter(finding -> !named.contains(finding.id()) && finding.causedBy() == null)
            .flatMap(finding -> PriceList.of(finding, examination, examination.line()).stream())
            .toList();
    prices.stream().map(PriceList.Estimate::notBilled).forEach(notBilled::add);
    double seconds = seconds(examination, until);
    var once = RegressionCorrection.rest(ConcurrentFaults.once(entries), seconds);
    var items = items(once, seconds, examination);
    if (items.isEmpty() && notBilled.isEmpty()) {
      return null;
    }
    double saved = items.stream().mapToDouble(Item::seconds).sum();
    var ahead =
        CostForecast.goesOn(state, examination, until)
            ? CostForecast.of(once, prices, examination, until, state.speaks())
            : List.<RunBill.Ahead>of();
    return new RunBill(
        millis(seconds), millis(Math.max(0, seconds - saved)), items, notBilled, ahead);
  }

  /// Longest believed standstill: nobody leaves a hung job alone for longer, so older lines were
  /// read long after they were written.
  private static final Duration LONGEST_STANDSTILL = Duration.ofDays(1);

  /// Whether the run is watched live while it hangs: no lines are written, but its time passes.
  private static boolean stands(
      Examination examination,
      List<Finding> found,
      RunSummary.State state,
      @Nullable Instant lastLine) {
    return examination.mode() == ObservationMode.LIVE
        && !state.over()
        && lastLine != null
        && lastLine.plus(LONGEST_STANDSTILL).isAfter(examination.now())
        && found.stream()
            .anyMatch(
                finding ->
                    finding.kind() == FindingKind.HANG
                        && takesTime(finding, found)
                        && finding.until() == null
                        && !finding.state().over());
  }

  /// The end of a recorded run: its last line, or as long as it was seen to hang after it, by its
  /// GPUs or by RAS.
  private static @Nullable Instant stoodUntil(
      Examination examination, List<Finding> found, @Nullable Instant lastLine) {
    var end = lastLine;
    for (var finding : found) {
      var since = finding.since();
      var cost = finding.cost().gpuSeconds();
      if (examination.mode() == ObservationMode.RECORDED
          && finding.kind() == FindingKind.HANG
          && takesTime(finding, found)
          && since != null
          && cost != null) {
        double seconds = cost / Math.max(1, examination.run().nranks());
        var stood = since.plusMillis(Math.round(1_000 * seconds));
        end = end == null || stood.isAfter(end) ? stood : end;
      }
    }
    return end;
  }

  /// A finding that took time.
  ///
  /// @param root its root cause; the finding itself if it has no cause
  record Entry(Finding root, Finding finding, Charge.Known charge) {}

  /// Whether the finding takes time. Notes do not, since nothing is at fault there, such as uneven
  /// data or a pause. A worse transport takes the time by which steps are longer than in the last
  /// good run, unless a finding about these steps does.
  private static boolean takesTime(Finding finding, Collection<Finding> found) {
    return switch (finding.kind()) {
      case STRAGGLER, BARRIER_WAIT, STEP_REGRESSION -> finding.severity() != Severity.INFO;
      case LATE_START -> true;
      case HANG -> finding.severity() == Severity.CRITICAL;
      case TRANSPORT_REGRESSION ->
          finding.cost().gpuSeconds() != null
              && found.stream().noneMatch(RegressionCorrection::acrossRuns);
      case EFA_FALLBACK,
          NETWORK_FALLBACK,
          SOCKET_TRANSPORT,
          P2P_READ,
          SHM_FALLBACK,
          SPLIT_PLACEMENT,
          PLACEMENT_ADVICE,
          GDR_MISSING,
          GDR_DISAGREEMENT,
          NIC_SHORTFALL,
          LINK_DEGRADED,
          NETWORK_ERRORS,
          OFFLOAD_MISSING,
          NCCL_ERROR,
          VERSION_MISMATCH,
          ENV_DRIFT,
          JOB_FAILED,
          GPU_THROTTLED,
          GPU_ERROR,
          BANDWIDTH_BELOW_EXPECTED,
          SENSOR_STALLED,
          TELEMETRY_GAP,
          TIMING_UNRELIABLE,
          UNPARSED_LINES ->
          false;
    };
  }

  /// Whether the finding follows from another billed one, which then includes its time.
  private static boolean explained(Finding finding, Map<String, Finding> byId) {
    var at = cause(finding, byId);
    for (int i = 0; at != null && i < byId.size(); i++) {
      if (takesTime(at, byId.values())) {
        return true;
      }
      at = cause(at, byId);
    }
    return false;
  }

  private static Finding root(Finding finding, Map<String, Finding> byId) {
    var root = finding;
    for (int i = 0; i < byId.size(); i++) {
      var cause = cause(root, byId);
      if (cause == null) {
        return root;
      }
      root = cause;
    }
    return root;
  }

  private static @Nullable Finding cause(Finding finding, Map<String, Finding> byId) {
    return finding.causedBy() == null ? null : byId.get(finding.causedBy());
  }

  private static double seconds(Examination examination, @Nullable Instant until) {
    long first = examination.run().firstNanos();
    return until == null || first == NO_TIME
        ? 0
        : Math.max(0, Nanos.seconds(Duration.between(Nanos.instant(first), until).toNanos()));
  }

  /// Most expensive first; together at most the run's time.
  private static List<Item> items(List<Entry> entries, double seconds, Examination examination) {
    double sum = entries.stream().mapToDouble(entry -> entry.charge().saved().seconds()).sum();
    double share = sum > seconds && seconds > 0 ? seconds / sum : 1;
    int gpus = Math.max(1, examination.run().nranks());
    var price = Price.of(examination);
    return entries.stream()
        .filter(entry -> entry.charge().saved().seconds() > 0)
        .map(entry -> item(entry, share, gpus, price))
        .sorted(Comparator.comparingDouble(Item::seconds).reversed().thenComparing(Item::finding))
        .limit(RunBill.MAX_ITEMS)
        .toList();
  }

  private static Item item(Entry entry, double share, int gpus, Optional<Double> perHour) {
    var saved = entry.charge().saved().times(share);
    var finding = entry.finding();
    double gpuSeconds = saved.seconds() * gpus;
    return new Item(
        entry.root().kind(),
        entry.root().id(),
        finding.ranks().isEmpty() ? entry.root().ranks() : finding.ranks(),
        finding.nodes().isEmpty() ? entry.root().nodes() : finding.nodes(),
        millis(saved.seconds()),
        millis(saved.low()),
        millis(saved.high()),
        millis(gpuSeconds),
        perHour.map(price -> money(gpuSeconds, price)).orElse(null),
        entry.charge().alone().stream()
            .map(alone -> new RunBill.Alone(alone.rank(), millis(share * alone.seconds())))
            .toList());
  }

  /// Cost of GPU-seconds by a price per GPU-hour, rounded to a hundredth.
  static double money(double gpuSeconds, double perHour) {
    return Math.rint(100 * gpuSeconds / 3600 * perHour) / 100;
  }

  static double millis(double seconds) {
    return Math.rint(1000 * seconds) / 1000;
  }
}
