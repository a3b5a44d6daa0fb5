package io.ringside.streams.ledger.campaign;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunBill.Item;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.ledger.campaign.Campaign.Cause;
import io.ringside.streams.ledger.campaign.Campaign.Goodput;
import io.ringside.streams.ledger.campaign.Campaign.Held;
import io.ringside.streams.ledger.campaign.Campaign.Machine;
import io.ringside.streams.ledger.campaign.Campaign.Period;
import io.ringside.streams.ledger.campaign.Campaign.Unpriced;
import io.ringside.streams.ledger.price.LearnedPrice;
import io.ringside.streams.ledger.price.Pair;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Adds up the ledger's summaries. Not thread-safe.
final class CampaignSums {
  /// Longest window that is split into days; a longer one is split into weeks.
  private static final Duration BY_DAYS = Duration.ofDays(14);

  private final Instant since;
  private final Instant until;
  private final List<RunPart> parts = new ArrayList<>();
  private List<RunSummary> ledger = List.of();
  private int untimed;

  CampaignSums(Instant since, Instant until) {
    this.since = since;
    this.until = until;
  }

  CampaignSums add(List<RunSummary> lines) {
    ledger = lines;
    for (var run : ledger) {
      if (!RunPart.timed(run)) {
        untimed++;
      }
      RunPart.of(run, since, until).ifPresent(parts::add);
    }
    return this;
  }

  Campaign campaign() {
    var all = new Amount();
    var byCause = new EnumMap<FindingKind, Amount>(FindingKind.class);
    var byMachine = new TreeMap<Place, Amount>();
    var unpriced = new TreeMap<String, Amount>();
    var notJudged = new Amount();
    var failed = new Amount();
    double held = 0;
    for (var part : parts) {
      held += part.gpuSeconds();
      for (var item : part.items()) {
        all.add(part, item, 1);
        at(byCause, item.cause()).add(part, item, 1);
        for (var node : item.nodes()) {
          at(byMachine, new Place(part.run().cluster(), node)).add(part, item, item.nodes().size());
        }
      }
      if (part.run().state() == RunSummary.State.FAILED) {
        failed.hold(part, part.gpuSeconds());
      }
      switch (worth(part)) {
        case Worth.Good _ -> {}
        case Worth.Unseen _ -> notJudged.hold(part, part.rest());
        case Worth.Unpriced fault -> at(unpriced, fault.what()).hold(part, part.rest());
      }
    }
    return new Campaign(
        since,
        until,
        (int) parts.stream().map(part -> JobKey.of(part.run())).distinct().count(),
        parts.size(),
        untimed,
        held,
        goodput(parts),
        good(parts).mapToDouble(RunPart::rest).sum(),
        parts.stream().mapToDouble(RunPart::lost).sum(),
        all.low,
        all.high,
        all.money(),
        notJudged.held(),
        failed.held(),
        dearest(byCause, CampaignSums::cause, Cause::gpuSeconds),
        dearest(byMachine, CampaignSums::machine, Machine::gpuSeconds).stream()
            .limit(Campaign.MOST)
            .toList(),
        dearest(
            unpriced,
            (what, of) -> new Unpriced(what, of.runs.size(), of.gpuSeconds),
            Unpriced::gpuSeconds),
        prices(),
        trend());
  }

  /// What is known of the time that no item of the bill takes.
  private sealed interface Worth {
    record Good() implements Worth {}

    record Unseen() implements Worth {}

    record Unpriced(String what) implements Worth {}
  }

  private static Worth worth(RunPart part) {
    var fault = part.unpriced();
    if (fault.isPresent()) {
      return new Worth.Unpriced(fault.get());
    }
    return part.judged() ? new Worth.Good() : new Worth.Unseen();
  }

  /// Prices for machines of known type; other machines cannot be compared.
  private List<LearnedPrice> prices() {
    return LearnedPrice.of(
        Pair.of(ledger).stream().filter(pair -> !pair.machine().isEmpty()).toList());
  }

  private List<Period> trend() {
    var first = parts.stream().map(RunPart::since).min(Comparator.naturalOrder());
    if (first.isEmpty()) {
      return List.of();
    }
    boolean days = Duration.between(since, until).compareTo(BY_DAYS) <= 0;
    var day = LocalDate.ofInstant(first.get(), ZoneOffset.UTC);
    var begin = days ? day : day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
    var periods = new ArrayList<Period>();
    while (start(begin).isBefore(until)) {
      var next = begin.plusDays(days ? 1 : 7);
      periods.add(period(start(begin), start(next)));
      begin = next;
    }
    return periods;
  }

  private Period period(Instant from, Instant to) {
    var first = from.isBefore(since) ? since : from;
    var last = to.isAfter(until) ? until : to;
    var within =
        parts.stream().flatMap(part -> RunPart.of(part.run(), first, last).stream()).toList();
    return new Period(
        from,
        within.stream().mapToDouble(RunPart::gpuSeconds).sum(),
        within.stream().mapToDouble(RunPart::lost).sum(),
        goodput(within));
  }

  private static Stream<RunPart> good(List<RunPart> parts) {
    return parts.stream().filter(part -> worth(part) instanceof Worth.Good);
  }

  private static @Nullable Goodput goodput(List<RunPart> parts) {
    var lost = new Amount();
    good(parts).forEach(part -> part.items().forEach(item -> lost.add(part, item, 1)));
    double held = good(parts).mapToDouble(RunPart::gpuSeconds).sum();
    return held > 0
        ? new Goodput(
            1 - Math.min(1, lost.gpuSeconds / held),
            1 - Math.min(1, lost.high / held),
            1 - Math.min(1, lost.low / held),
            held)
        : null;
  }

  private static Instant start(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  private static Cause cause(FindingKind kind, Amount of) {
    return new Cause(kind, of.gpuSeconds, of.low, of.high, of.money(), of.runs.size());
  }

  private static Machine machine(Place place, Amount of) {
    return new Machine(
        place.cluster(),
        place.node(),
        of.gpuSeconds,
        of.runs.size(),
        of.byKind.entrySet().stream()
            .sorted(Map.Entry.<FindingKind, Double>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .toList());
  }

  private static <K, T> List<T> dearest(
      Map<K, Amount> amounts, BiFunction<K, Amount, T> as, ToDoubleFunction<T> by) {
    return amounts.entrySet().stream()
        .map(entry -> as.apply(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingDouble(by).reversed())
        .toList();
  }

  private static <K> Amount at(Map<K, Amount> amounts, K key) {
    return amounts.computeIfAbsent(key, _ -> new Amount());
  }

  private record Place(String cluster, String node) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      return Comparator.comparing(Place::cluster).thenComparing(Place::node).compare(this, other);
    }
  }

  private record RunId(JobKey job, String run) {
    static RunId of(RunSummary run) {
      return new RunId(JobKey.of(run), run.run());
    }
  }

  /// Sum over some runs or items.
  private static final class Amount {
    private final Set<RunId> runs = new HashSet<>();
    private final Map<FindingKind, Double> byKind = new EnumMap<>(FindingKind.class);
    private double gpuSeconds;
    private double low;
    private double high;
    private @Nullable Double money = 0.0;

    /// @param among number of machines that share the item
    void add(RunPart part, Item item, int among) {
      double share = part.share() / among;
      double own = share * item.gpuSeconds();
      runs.add(RunId.of(part.run()));
      byKind.merge(item.cause(), own, Double::sum);
      gpuSeconds += own;
      low += item.seconds() > 0 ? own * item.lowSeconds() / item.seconds() : 0;
      high += item.seconds() > 0 ? own * item.highSeconds() / item.seconds() : 0;
      money =
          money == null || item.money() == null
              ? null
              : Double.valueOf(money + share * Objects.requireNonNull(item.money()));
    }

    void hold(RunPart part, double seconds) {
      runs.add(RunId.of(part.run()));
      gpuSeconds += seconds;
    }

    Held held() {
      return new Held(runs.size(), gpuSeconds);
    }

    @Nullable Double money() {
      return runs.isEmpty() ? null : money;
    }
  }
}
