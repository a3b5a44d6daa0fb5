package io.ringside.standalone.report;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Explains how NCCL came to use its network: one statement for each piece of evidence of one
/// process, in order.
final class FallbackChain {
  private static final List<Map.Entry<Pattern, Function<MatchResult, String>>> LINKS =
      List.of(
          link("No eligible providers", _ -> "libfabric offers no fit provider"),
          link(
              "Selected provider is ([^\\s,]+)",
              line -> "the plugin takes the provider " + line.group(1)),
          link("Unable to find a protocol", _ -> "the plugin finds no way to the network"),
          link(
              "cannot open shared object|Could not find:|No plugin found",
              _ -> "NCCL finds no plugin"),
          link("NET/IB ?: No device found", _ -> "NCCL finds no InfiniBand or RoCE card"),
          link(
              "initialization failed|Initializing plugin failed|Failed to initialize NET plugin",
              _ -> "the plugin gives up"),
          link("Using network (\\S+)", line -> "NCCL takes " + line.group(1)),
          link(
              "\\[send\\] via (\\S+?)(?:/\\d+)?(?:\\s|$)|\\[receive\\] via (\\S+?)(?:/\\d+)?(?:\\s|$)",
              line -> "data goes via " + (line.group(1) == null ? line.group(2) : line.group(1))));

  private FallbackChain() {}

  private static Map.Entry<Pattern, Function<MatchResult, String>> link(
      String pattern, Function<MatchResult, String> words) {
    return Map.entry(Pattern.compile(pattern), words);
  }

  /// The statements; empty for findings of other kinds, and if there are fewer than two.
  static List<String> of(Finding finding) {
    return switch (finding.kind()) {
      case EFA_FALLBACK, NETWORK_FALLBACK -> links(finding);
      default -> List.of();
    };
  }

  private static List<String> links(Finding finding) {
    var file = finding.evidence().getFirst().file();
    var chain = new ArrayList<String>();
    finding.evidence().stream()
        .filter(line -> line.file().equals(file))
        .map(Evidence::text)
        .flatMap(text -> LINKS.stream().flatMap(link -> said(link, text).stream()).limit(1))
        .filter(said -> !chain.contains(said))
        .forEach(chain::add);
    return chain.size() < 2 ? List.of() : List.copyOf(chain);
  }

  private static List<String> said(
      Map.Entry<Pattern, Function<MatchResult, String>> link, String text) {
    var matcher = link.getKey().matcher(text);
    return matcher.find() ? List.of(link.getValue().apply(matcher.toMatchResult())) : List.of();
  }
}
