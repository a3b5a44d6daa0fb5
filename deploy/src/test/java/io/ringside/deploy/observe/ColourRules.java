package io.ringside.deploy.observe;

import io.ringside.schemas.event.FindingKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// A colour means the same on all dashboards, is readable, and never stands alone.
final class ColourRules {
  /// Grafana writes dark on the light ones and white on the others, by a brightness of 180 in 255;
  /// `orange` and `semi-dark-orange` get white, at a contrast of 2.
  private static final Set<String> READABLE =
      Set.of(
          "transparent",
          "text",
          "semi-dark-red",
          "super-light-orange",
          "super-light-yellow",
          "semi-dark-blue",
          "dark-green",
          "semi-dark-purple");

  /// What has one meaning has one colour.
  private static final Map<String, String> MEANING =
      Map.ofEntries(
          Map.entry("critical", "semi-dark-red"),
          Map.entry("warning", "super-light-orange"),
          Map.entry("info", "semi-dark-blue"),
          Map.entry("ok", "dark-green"),
          Map.entry("none", "dark-green"),
          Map.entry("pass", "dark-green"),
          Map.entry("fail", "semi-dark-red"),
          Map.entry("failed", "semi-dark-red"),
          Map.entry("unknown", "semi-dark-purple"),
          Map.entry("silent", "semi-dark-purple"),
          Map.entry("stuck", "semi-dark-red"),
          Map.entry("behind", "super-light-orange"),
          Map.entry("lost", "super-light-orange"),
          Map.entry("median of all", "text"));

  /// Labels whose values mean something, and some of these.
  private static final Map<String, List<String>> MEANT =
      Map.of(
          "{{severity}}", List.of("critical", "warning", "info"),
          "{{verdict}}", List.of("critical", "warning", "info", "ok"),
          "{{state}}", List.of("failed|silent"),
          "{{network}}", List.of("/.*Socket.*/|ethernet"),
          "{{transport}}", List.of("/.*Socket.*/"));

  private static final Pattern SIGN = Pattern.compile("[^\\p{Alnum}\\s].*");

  private static final String SOLID = "{\"fill\":\"solid\"}";
  private static final String GPUS = "GPU {{index}}";
  private static final Pattern GOOD_OR_BAD = Pattern.compile("red|green");
  private static final Pattern ONE_OF_MANY = Pattern.compile("^GPU \\d|\\brank ");

  static final List<PanelRule> ALL =
      List.of(
          new PanelRule("throws the mappings of its states away", ColourRules::losesMappings),
          new PanelRule("has chance colours for what means something", ColourRules::chance),
          new PanelRule("gives a meaning another colour", ColourRules::otherMeaning),
          new PanelRule("paints a finding like what is well", ColourRules::findingIsWell),
          new PanelRule("cannot be read on its colour", ColourRules::unreadable),
          new PanelRule("tells apart by colour alone", ColourRules::colourAlone),
          new PanelRule("tells lines apart by colour alone", ColourRules::linesByColourAlone),
          new PanelRule("leaves red and green to chance", ColourRules::redAndGreenByChance),
          new PanelRule("paints one of many as good or bad", ColourRules::oneOfManyIsBad),
          new PanelRule("paints sockets like what is faster", ColourRules::socketsLikeOthers),
          new PanelRule("stacks by the alphabet", ColourRules::stacksByAlphabet),
          new PanelRule("colours what has no value", ColourRules::coloursNothing),
          new PanelRule("draws zeros on top of a stack", ColourRules::stacksZeros),
          new PanelRule("is red for a job that ended", ColourRules::endedIsBad));

  private ColourRules() {}

  /// A state timeline that merges equal values replaces the mappings by thresholds where these give
  /// the colour.
  private static boolean losesMappings(Panel panel) {
    return panel.is("state-timeline")
        && (panel.text("/fieldConfig/defaults/color/mode").equals("thresholds")
            || panel.defaults().path("mappings").isEmpty());
  }

  private static boolean chance(Panel panel) {
    return panel.is("timeseries", "stat")
        && Stream.concat(
                kinds(panel),
                Stream.concat(
                    panel.legends().stream().filter(MEANING::containsKey),
                    MEANT.entrySet().stream()
                        .filter(
                            it ->
                                panel.legends().stream()
                                    .anyMatch(legend -> legend.contains(it.getKey())))
                        .flatMap(it -> it.getValue().stream())))
            .anyMatch(name -> Stream.of(name.split("\\|")).noneMatch(it -> fixed(panel, it)));
  }

  /// The kinds of findings that the panel may draw.
  private static Stream<String> kinds(Panel panel) {
    if (!panel.legends().contains("{{kind}}")) {
      return Stream.of();
    }
    return Arrays.stream(FindingKind.values())
        .map(FindingKind::label)
        .filter(it -> !panel.asks("kind=~") || panel.asks(it));
  }

  private static boolean fixed(Panel panel, String name) {
    return panel
        .json()
        .at("/fieldConfig/overrides")
        .valueStream()
        .filter(it -> matches(it.get("matcher"), name))
        .flatMap(it -> it.get("properties").valueStream())
        .anyMatch(it -> it.at("/value/mode").asString("").equals("fixed"));
  }

  private static boolean matches(JsonNode matcher, String name) {
    var options = matcher.get("options").asString();
    return name.startsWith("/") ? options.contains("Socket") : options.equals(name);
  }

  private static boolean otherMeaning(Panel panel) {
    boolean mapped =
        panel.mapped().stream()
            .anyMatch(it -> other(it.path("text").asString(""), it.path("color").asString("")));
    return mapped
        || panel
            .json()
            .at("/fieldConfig/overrides")
            .valueStream()
            .anyMatch(
                override ->
                    override
                        .get("properties")
                        .valueStream()
                        .map(it -> it.at("/value/fixedColor").asString(""))
                        .anyMatch(
                            colour ->
                                !colour.isEmpty()
                                    && other(override.at("/matcher/options").asString(), colour)));
  }

  private static boolean other(String text, String colour) {
    var meant = MEANING.get(text.replaceFirst("^[^\\p{Alnum}]+", ""));
    return meant != null && !List.of(meant.split("\\|")).contains(colour);
  }

  private static boolean findingIsWell(Panel panel) {
    return kinds(panel)
        .anyMatch(
            kind ->
                panel
                    .json()
                    .at("/fieldConfig/overrides")
                    .valueStream()
                    .filter(it -> it.at("/matcher/options").asString().equals(kind))
                    .flatMap(it -> it.get("properties").valueStream())
                    .anyMatch(it -> it.at("/value/fixedColor").asString("").contains("green")));
  }

  private static boolean unreadable(Panel panel) {
    if (panel.text("/options/colorMode").equals("value")) {
      return true; // coloured figures on a white or black ground
    }
    var json = panel.json().toString();
    boolean ground =
        panel.is("stat", "status-history", "state-timeline") || json.contains("color-background");
    return ground
        && Stream.concat(
                panel.json().findValues("steps").stream().flatMap(JsonNode::valueStream),
                panel.mapped().stream())
            .map(it -> it.path("color").asString(""))
            .anyMatch(colour -> !READABLE.contains(colour));
  }

  private static boolean colourAlone(Panel panel) {
    return panel.json().toString().contains("color-text")
        || panel.text("/options/showValue").equals("never")
        || panel.mapped().stream()
            .anyMatch(it -> !SIGN.matcher(it.path("text").asString("")).matches());
  }

  private static boolean coloursNothing(Panel panel) {
    var base = panel.defaults().at("/thresholds/steps/0/color").asString("text");
    return !base.equals("text") && !base.equals("transparent");
  }

  /// What can be named in advance has a colour and a line of its own; of what nobody can name the
  /// tooltip and the legend tell all.
  private static boolean linesByColourAlone(Panel panel) {
    if (!panel.is("timeseries")) {
      return false;
    }
    var named = named(panel);
    boolean open = panel.legends().stream().anyMatch(it -> it.contains("{{"));
    if (named.size() < 2 && !open) {
      return false;
    }
    var lines = new ArrayList<>(painted(panel).map(ColourRules::line).toList());
    if (panel.legends().stream().anyMatch(it -> it.contains("{{") && !it.equals(GPUS))
        && painted(panel).noneMatch(it -> chosenByPattern(it) || isKind(it))) {
      lines.add(SOLID); // of those that have no override
    }
    return named.stream().anyMatch(it -> !fixed(panel, it))
        || lines.stream().distinct().count() < lines.size()
        || open
            && (!panel.text("/options/tooltip/mode").equals("multi")
                || !panel.json().at("/options/legend/showLegend").asBoolean(false));
  }

  /// What a panel draws whatever there is, and the GPUs that a node usually has.
  private static List<String> named(Panel panel) {
    return panel.legends().stream()
        .flatMap(
            it ->
                it.equals(GPUS)
                    ? IntStream.range(0, 8).mapToObj(index -> "GPU " + index)
                    : Stream.of(it).filter(name -> !name.contains("{{")))
        .toList();
  }

  private static Stream<JsonNode> painted(Panel panel) {
    return panel
        .json()
        .at("/fieldConfig/overrides")
        .valueStream()
        .filter(
            it ->
                it.get("properties")
                    .valueStream()
                    .anyMatch(property -> property.get("id").asString().equals("color")));
  }

  private static String line(JsonNode override) {
    return override
        .get("properties")
        .valueStream()
        .filter(property -> property.get("id").asString().equals("custom.lineStyle"))
        .map(property -> property.get("value").toString())
        .findFirst()
        .orElse(SOLID);
  }

  private static boolean chosenByPattern(JsonNode override) {
    return override.at("/matcher/id").asString().equals("byRegexp");
  }

  private static boolean isKind(JsonNode override) {
    var name = override.at("/matcher/options").asString();
    return Arrays.stream(FindingKind.values()).map(FindingKind::label).anyMatch(name::equals);
  }

  /// Grafana's palettes give the first line green and the fifth red.
  private static boolean redAndGreenByChance(Panel panel) {
    return panel.is("timeseries")
        && (panel.text("/fieldConfig/defaults/color/mode").contains("palette")
            || GOOD_OR_BAD.matcher(panel.text("/fieldConfig/defaults/color/fixedColor")).find());
  }

  /// Red is critical and green is well: neither is a GPU or a rank.
  private static boolean oneOfManyIsBad(Panel panel) {
    return painted(panel)
        .filter(it -> ONE_OF_MANY.matcher(it.at("/matcher/options").asString()).find())
        .flatMap(it -> it.get("properties").valueStream())
        .anyMatch(it -> GOOD_OR_BAD.matcher(it.at("/value/fixedColor").asString("")).find());
  }

  private static boolean stacks(Panel panel) {
    return panel.text("/fieldConfig/defaults/custom/stacking/mode").equals("normal");
  }

  /// Of overrides that match the last one wins; NCCL's names of networks that go over sockets
  /// contain those of others.
  private static boolean socketsLikeOthers(Panel panel) {
    var painted =
        Stream.of("Socket", "AWS Libfabric+Socket", "NET/Socket", "inter-node NET/Socket")
            .map(
                name ->
                    panel
                        .json()
                        .at("/fieldConfig/overrides")
                        .valueStream()
                        .filter(it -> it.at("/matcher/id").asString().equals("byRegexp"))
                        .filter(it -> regex(it.at("/matcher/options").asString(), name))
                        .map(it -> it.at("/properties/0/value/fixedColor").asString(""))
                        .reduce("", (_, last) -> last))
            .toList();
    return !painted.getFirst().isEmpty() && painted.stream().distinct().count() > 1;
  }

  private static boolean regex(String options, String name) {
    var inner = options.replaceFirst("^/(.*)/i?$", "$1");
    return Pattern.compile(inner, options.endsWith("i") ? Pattern.CASE_INSENSITIVE : 0)
        .matcher(name)
        .find();
  }

  private static boolean stacksByAlphabet(Panel panel) {
    return stacks(panel)
        && panel.legends().stream()
            .anyMatch(it -> it.matches(".*\\{\\{(verdict|severity|state)}}.*"));
  }

  private static boolean stacksZeros(Panel panel) {
    return stacks(panel)
        && panel.expressions().stream()
            .anyMatch(it -> !it.contains("> 0") && !it.startsWith("count by"));
  }

  private static boolean endedIsBad(Panel panel) {
    return panel.asks("ringside_job_running") && !panel.mapped().isEmpty()
        || panel.mapped().stream()
            .anyMatch(it -> it.path("text").asString("").matches(".*\\b(ended|stopped|over)\\b"));
  }
}
