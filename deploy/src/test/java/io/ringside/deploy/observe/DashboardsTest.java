package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The dashboards under grafana/, as files. DashboardsIT executes them.
class DashboardsTest {
  private static final Path FOLDER = Path.of("..", "grafana", "dashboards");
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Pattern OURS = Pattern.compile("\\bringside_[a-z0-9_]+\\b");
  private static final Pattern GROUPED = Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)");
  private static final Pattern VALUES = Pattern.compile("label_values\\((.+), (\\w+)\\)");

  /// One query of one panel.
  record Query(String dashboard, String panel, String expression) {
    @Override
    public String toString() {
      return dashboard + " / " + panel + ": " + expression;
    }
  }

  /// One variable whose values are those of a label.
  record Variable(String dashboard, String name, String selector, String label) {
    @Override
    public String toString() {
      return dashboard + " / $" + name + ": " + label + " of " + selector;
    }
  }

  /// Those of panels and of annotations.
  static List<Query> queries() throws IOException {
    var queries = new ArrayList<Query>();
    for (var file : InstalledPrograms.files(FOLDER, ".json")) {
      var board = JSON.readTree(file.toFile());
      var title = board.get("title").asString();
      for (var panel : board.get("panels")) {
        for (var target : panel.path("targets")) {
          queries.add(
              new Query(title, panel.get("title").asString(), target.get("expr").asString()));
        }
      }
      for (var annotation : board.get("annotations").get("list")) {
        var name = "annotation " + annotation.get("name").asString();
        queries.add(new Query(title, name, annotation.get("expr").asString()));
      }
    }
    return queries;
  }

  static List<Variable> variables() throws IOException {
    var variables = new ArrayList<Variable>();
    for (var file : InstalledPrograms.files(FOLDER, ".json")) {
      var board = JSON.readTree(file.toFile());
      for (var variable : board.at("/templating/list")) {
        if (variable.get("type").asString().equals("query")) {
          var query = VALUES.matcher(variable.at("/query/query").asString());
          assertThat(query.matches()).as(variable.toString()).isTrue();
          variables.add(
              new Variable(
                  board.get("title").asString(),
                  variable.get("name").asString(),
                  query.group(1),
                  query.group(2)));
        }
      }
    }
    return variables;
  }

  /// All but the rows.
  static List<Panel> panels() throws IOException {
    var panels = new ArrayList<Panel>();
    for (var file : dashboards()) {
      var board = JSON.readTree(file.toFile());
      for (var panel : board.get("panels")) {
        if (!panel.get("type").asString().equals("row")) {
          panels.add(new Panel(board.get("title").asString(), panel));
        }
      }
    }
    return panels;
  }

  static List<Path> dashboards() throws IOException {
    return InstalledPrograms.files(FOLDER, ".json");
  }

  @ParameterizedTest
  @MethodSource("panels")
  void doesNothingThatWasSeenToBeWrong(Panel panel) {
    assertThat(PanelRule.all()).filteredOn(rule -> rule.brokenBy(panel)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("queries")
  void asksForMetricsThatExist(Query query) {
    assertThat(DocumentedMetrics.names())
        .containsAll(OURS.matcher(query.expression()).results().map(it -> it.group()).toList());
  }

  @ParameterizedTest
  @MethodSource("queries")
  void keepsJobsOfOneNameApart(Query query) {
    assertThat(
            GROUPED
                .matcher(query.expression())
                .results()
                .map(it -> List.of(it.group(1).split(", "))))
        .allSatisfy(
            labels -> {
              if (labels.contains("job")) {
                assertThat(labels).contains("cluster", "namespace");
              }
            });
    if (query.expression().contains("$job")) {
      assertThat(query.expression())
          .contains("cluster=\"$cluster\",namespace=\"$namespace\",job=\"$job\"");
    }
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void takesThePagesAddressFromTheInstallation(Path file) {
    var page =
        JSON.readTree(file.toFile())
            .at("/templating/list")
            .valueStream()
            .filter(it -> it.get("name").asString().equals("page"))
            .toList();

    assertThat(page).hasSize(1);
    assertThat(page.getFirst().at("/query/query").asString())
        .isEqualTo("label_values(ringside_links_info, page)");
    assertThat(page.getFirst().get("hide").asInt()).as("hidden").isEqualTo(2);
  }

  /// Who is called sees what is wrong before anything else, and where to click.
  @Test
  void beginsWithWhatIsWrong() throws IOException {
    var first =
        panels().stream()
            .filter(it -> it.board().equals("Ringside / Fleet"))
            .filter(it -> it.json().at("/gridPos/y").asInt() == 0)
            .toList();

    assertThat(first).extracting(Panel::type).containsExactly("table", "table");
    assertThat(first.getFirst().asks("ringside_findings_active")).isTrue();
    assertThat(first.getFirst().property("job", "links")).isPresent();
    assertThat(first.getLast().asks("ALERTS{")).isTrue();
  }

  @ParameterizedTest
  @MethodSource("variables")
  void offersValuesOfMetricsThatExist(Variable variable) {
    assertThat(DocumentedMetrics.names()).contains(variable.selector().replaceFirst("\\{.*", ""));
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void leadsToTheOthersAndToTheProof(Path file) throws IOException {
    var board = JSON.readTree(file.toFile());
    var links = board.get("links").findValuesAsString("url");

    for (var other : dashboards()) {
      var uid = other.getFileName().toString().replace(".json", "");
      if (!other.equals(file)) {
        assertThat(links).anyMatch(link -> link.startsWith("/d/" + uid + "?"));
      }
    }
    assertThat(links).anyMatch(link -> link.startsWith("${page}"));
  }

  /// Grafana has a shade of each of its named colours for light and for dark.
  @ParameterizedTest
  @MethodSource("dashboards")
  void looksAsTheReadersThemeSays(Path file) {
    var board = JSON.readTree(file.toFile());

    assertThat(board.has("style")).isFalse();
    assertThat(board.findValues("color"))
        .filteredOn(JsonNode::isString)
        .extracting(JsonNode::asString)
        .filteredOn(
            colour -> !colour.startsWith("rgba(")) // of exemplars, as Grafana itself writes it
        .allMatch(colour -> colour.matches("[a-z-]*"));
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void givesEveryPanelATitleOfItsOwn(Path file) {
    var titles = new ArrayList<String>();
    for (var panel : JSON.readTree(file.toFile()).get("panels")) {
      titles.add(panel.get("title").asString() + " " + panel.get("type").asString());
    }
    assertThat(titles).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void namesNoDataSourceOfItsOwn(Path file) {
    var board = JSON.readTree(file.toFile());

    assertThat(board.findValues("datasource"))
        .isNotEmpty()
        .allSatisfy(source -> assertThat(source.get("uid").asString()).isEqualTo("${datasource}"));
    assertThat(file.getFileName().toString()).isEqualTo(board.get("uid").asString() + ".json");
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void laysNoPanelOverAnother(Path file) {
    var board = JSON.readTree(file.toFile());
    var taken = new boolean[400][24];
    for (var panel : board.get("panels")) {
      JsonNode at = panel.get("gridPos");
      for (int y = at.get("y").asInt(); y < at.get("y").asInt() + at.get("h").asInt(); y++) {
        for (int x = at.get("x").asInt(); x < at.get("x").asInt() + at.get("w").asInt(); x++) {
          assertThat(taken[y][x]).as(panel.get("title").asString()).isFalse();
          taken[y][x] = true;
        }
      }
    }
  }
}
