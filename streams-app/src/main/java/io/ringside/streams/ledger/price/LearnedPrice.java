package io.ringside.streams.ledger.price;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.ringside.schemas.event.FindingKind;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Learned price: the factor by which steps take longer with a transport or placement, on one kind
/// of machine.
///
/// @param machine instance type, empty if unknown
/// @param ratio geometric mean over the pairs
/// @param low lower end of the range in which the next pair's ratio lies four times out of five, if
///     pairs vary like those so far; null for one pair, which shows no spread
/// @param high upper end of that range; null for one pair
/// @param pairs number of pairs of runs
/// @param jobs number of jobs that they come from
public record LearnedPrice(
    FindingKind kind,
    String machine,
    double ratio,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double low,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double high,
    int pairs,
    int jobs) {
  /// Student's t at nine tenths for 1 to 4 degrees of freedom; from 5 on it is close to the normal
  /// distribution's.
  private static final double[] T = {3.078, 1.886, 1.638, 1.533};

  private static final double NORMAL = 1.282;

  /// Least spread. Step times of one job differ by this from run to run, even if two pairs agree
  /// more closely by chance.
  private static final double LEAST_SPREAD = 0.03;

  private record Place(FindingKind kind, String machine) {}

  /// One price for each kind and machine with pairs.
  public static List<LearnedPrice> of(List<Pair> pairs) {
    return pairs.stream()
        .collect(Collectors.groupingBy(pair -> new Place(pair.kind(), pair.machine())))
        .entrySet()
        .stream()
        .map(entry -> of(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparing(LearnedPrice::kind).thenComparing(LearnedPrice::machine))
        .toList();
  }

  private static LearnedPrice of(Place place, List<Pair> pairs) {
    int n = pairs.size();
    double mean = pairs.stream().mapToDouble(pair -> Math.log(pair.ratio())).sum() / n;
    double squares =
        pairs.stream().mapToDouble(pair -> Math.pow(Math.log(pair.ratio()) - mean, 2)).sum();
    double reach =
        n < 2
            ? Double.NaN
            : t(n - 1)
                * Math.max(LEAST_SPREAD, Math.sqrt(squares / (n - 1)))
                * Math.sqrt(1 + 1.0 / n);
    return new LearnedPrice(
        place.kind(),
        place.machine(),
        Math.exp(mean),
        n < 2 ? null : Double.valueOf(Math.exp(mean - reach)),
        n < 2 ? null : Double.valueOf(Math.exp(mean + reach)),
        n,
        (int) pairs.stream().map(Pair::job).distinct().count());
  }

  private static double t(int degrees) {
    return degrees <= T.length ? T[degrees - 1] : NORMAL * (1 + 0.75 / degrees);
  }
}
