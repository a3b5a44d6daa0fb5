package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The dashboards under grafana/, as files. DashboardsIT executes them.
class DashboardsTest {
  private static final Path FOLDER = Path.of("..", "grafana", "dashboards");
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Pattern OURS = Pattern.compile("\\bringside_[a-z0-9_]+\\b");

  /// One query of one panel.
  record Query(String dashboard, String panel, String expression) {
    @Override
    public String toString() {
      return dashboard + " / " + panel + ": " + expression;
    }
  }

  static List<Query> queries() throws IOException {
    var queries = new ArrayList<Query>();
    for (var file : Installed.files(FOLDER, ".json")) {
      var board = JSON.readTree(file.toFile());
      var title = board.get("title").asString();
      for (var panel : board.get("panels")) {
        for (var target : panel.path("targets")) {
          queries.add(
              new Query(title, panel.get("title").asString(), target.get("expr").asString()));
        }
      }
      for (var annotation : board.get("annotations").get("list")) {
        queries.add(new Query(title, "annotation", annotation.get("expr").asString()));
      }
    }
    return queries;
  }

  static List<Path> dashboards() throws IOException {
    return Installed.files(FOLDER, ".json");
  }

  @ParameterizedTest
  @MethodSource("queries")
  void asksForMetricsThatExist(Query query) {
    assertThat(DocumentedMetrics.names())
        .containsAll(OURS.matcher(query.expression()).results().map(it -> it.group()).toList());
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
