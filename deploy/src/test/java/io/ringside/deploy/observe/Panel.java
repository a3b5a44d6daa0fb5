package io.ringside.deploy.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// One panel of a dashboard, as its JSON has it.
record Panel(String board, JsonNode json) {
  private static final Pattern GROUPED = Pattern.compile("\\bby \\(([^)]*)\\)");

  /// One column of a table: what it is called in the data and on the screen.
  record Column(String source, String shown) {
    boolean value() {
      return source.startsWith("Value");
    }
  }

  String title() {
    return json.get("title").asString();
  }

  String type() {
    return json.get("type").asString();
  }

  boolean is(String... types) {
    return List.of(types).contains(type());
  }

  int width() {
    return json.at("/gridPos/w").asInt();
  }

  int height() {
    return json.at("/gridPos/h").asInt();
  }

  String text(String pointer) {
    return json.at(pointer).asString("");
  }

  JsonNode defaults() {
    return json.at("/fieldConfig/defaults");
  }

  List<String> expressions() {
    return texts("expr");
  }

  List<String> legends() {
    return texts("legendFormat");
  }

  boolean asks(String... parts) {
    return expressions().stream().anyMatch(it -> Stream.of(parts).anyMatch(it::contains));
  }

  private List<String> texts(String field) {
    var texts = new ArrayList<String>();
    json.path("targets").forEach(target -> texts.add(target.path(field).asString("")));
    return texts;
  }

  /// The options of the transformation of this kind.
  Optional<JsonNode> transformation(String id) {
    return json.path("transformations")
        .valueStream()
        .filter(it -> it.get("id").asString().equals(id))
        .map(it -> it.get("options"))
        .findFirst();
  }

  /// Those of a table that somebody put in order; the others come behind them as they are.
  List<Column> columns() {
    var columns = new ArrayList<Column>();
    transformation("organize")
        .ifPresent(
            it ->
                it.path("indexByName")
                    .propertyNames()
                    .forEach(
                        source ->
                            columns.add(
                                new Column(
                                    source,
                                    it.path("renameByName").path(source).asString(source)))));
    return columns;
  }

  /// Labels of the table's data that nobody put in order or left out.
  TreeSet<String> strayLabels() {
    var labels = new TreeSet<String>();
    expressions()
        .forEach(
            expression ->
                GROUPED
                    .matcher(expression)
                    .results()
                    .forEach(it -> labels.addAll(List.of(it.group(1).split(", ")))));
    columns().forEach(column -> labels.remove(column.source()));
    transformation("organize")
        .ifPresent(it -> it.path("excludeByName").propertyNames().forEach(labels::remove));
    return labels;
  }

  /// A property that an override sets for the field of this name.
  Optional<JsonNode> property(String field, String id) {
    return json.at("/fieldConfig/overrides")
        .valueStream()
        .filter(it -> it.at("/matcher/options").asString().equals(field))
        .flatMap(it -> it.get("properties").valueStream())
        .filter(it -> it.get("id").asString().equals(id))
        .map(it -> it.get("value"))
        .findFirst();
  }

  boolean hidden(Column column) {
    return property(column.shown(), "custom.hidden").map(JsonNode::asBoolean).orElse(false);
  }

  /// Everything that is mapped to a text and a colour, here and in overrides.
  List<JsonNode> mapped() {
    var mapped = new ArrayList<JsonNode>();
    Stream.concat(
            defaults().path("mappings").valueStream(),
            json.at("/fieldConfig/overrides")
                .valueStream()
                .flatMap(it -> it.get("properties").valueStream())
                .filter(it -> it.get("id").asString().equals("mappings"))
                .flatMap(it -> it.get("value").valueStream()))
        .forEach(
            it -> {
              var options = it.get("options");
              if (it.path("type").asString("").equals("special")) {
                mapped.add(options.get("result"));
              } else {
                options.forEach(mapped::add);
              }
            });
    return mapped;
  }

  @Override
  public String toString() {
    return board + " / " + title();
  }
}
