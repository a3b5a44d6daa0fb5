package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import io.ringside.deploy.kubernetes.Kustomize;
import io.ringside.schemas.event.FindingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules under deploy/prometheus. promtool and amtool come with Debian's prometheus and
/// prometheus-alertmanager.
class AlertRulesTest {
  private static final Path FOLDER = Path.of("..", "deploy", "prometheus");
  private static final Path RULES = FOLDER.resolve("rules/ringside.yaml");
  private static final Path RUNBOOKS = Path.of("..", "docs", "runbooks");

  @Test
  void passesPromtoolsCheck() throws Exception {
    assertThat(InstalledPrograms.output(FOLDER, "promtool", "check", "config", "prometheus.yaml"))
        .contains("SUCCESS");
  }

  @Test
  void raisesAndClearsAsItsOwnTestsSay() throws Exception {
    var tests = InstalledPrograms.files(FOLDER.resolve("tests"), ".yaml");
    var arguments =
        Stream.concat(
                Stream.of("test", "rules"), tests.stream().map(it -> "tests/" + it.getFileName()))
            .toArray(String[]::new);

    assertThat(InstalledPrograms.output(FOLDER, "promtool", arguments)).contains("SUCCESS");
    assertThat(tests).isNotEmpty();
  }

  /// In one test it is quiet, fires, and is quiet again. The watchdog always fires.
  @Test
  void testsThatEveryAlertBeginsAndEnds() throws IOException {
    var proved = new TreeSet<String>();
    var alerts = all(RULES, "alert: (\\w+)");
    for (var file : InstalledPrograms.files(FOLDER.resolve("tests"), ".yaml")) {
      for (var test : Repository.documents(file).getFirst().get("tests")) {
        alerts.stream()
            .filter(it -> AlertMoments.of(test, it).beginsAndEnds())
            .forEach(proved::add);
      }
    }
    proved.add("RingsideWatchdog");

    assertThat(proved).containsExactlyInAnyOrderElementsOf(alerts);
  }

  @Test
  void saysHowGraveItIsAsOthersDo() {
    for (var rule : Repository.documents(RULES).getFirst().get("groups").findValues("labels")) {
      var urgency = rule.get("urgency").asString();
      assertThat(rule.get("severity").asString())
          .isIn(
              switch (urgency) {
                case "page" -> List.of("critical");
                case "ticket" -> List.of("warning", "info");
                default -> List.of("none");
              });
    }
  }

  @Test
  void silencesForASharedCauseEveryPageThatNamesTheSameSymptom() throws IOException {
    var silenced =
        all(FOLDER.resolve("alertmanager.yaml"), "SharedCause\"]\\n.*alertname=~\"([^\"]*)\"")
            .getFirst();
    var named = new TreeSet<String>();
    for (var rule : Repository.documents(RULES).getFirst().get("groups").findValues("rules")) {
      rule.valueStream()
          .filter(it -> it.at("/labels/symptom").isString())
          .forEach(it -> named.add(it.get("alert").asString()));
    }

    assertThat(named).containsExactlyInAnyOrder(silenced.split("\\|"));
  }

  @ParameterizedTest
  @CsvSource({
    "alertname=RingsideWatchdog, urgency=none, namespace=, dead-man",
    "alertname=RingsideHang, urgency=page, namespace=team-a, pager",
    "alertname=RingsideTransport, urgency=ticket, namespace=team-a, tickets",
    "alertname=RingsideJobFailed, urgency=ticket, namespace=team-a, owners",
    "alertname=RingsideJobFailed, urgency=ticket, namespace=, tickets", // outside of Kubernetes
  })
  void routesByUrgencyAndToOwners(String name, String urgency, String namespace, String receiver)
      throws Exception {
    assertThat(
            InstalledPrograms.output(
                FOLDER,
                "amtool",
                "config",
                "routes",
                "test",
                "--config.file=alertmanager.yaml",
                name,
                urgency,
                namespace))
        .endsWith(receiver + "\n");
  }

  /// A metric of agents, how its value goes where something is wrong, and the alert that tells of
  /// it.
  @ParameterizedTest
  @CsvSource({
    "ringside_shipper_config_stale, 1x60, RingsideAgentConfigStale",
    "ringside_shipper_read_failures_total, 0+1x60, RingsideReadFailures",
    "ringside_shipper_left_behind_bytes_total, 0+1x60, RingsideLinesLeftBehind",
    "ringside_shipper_dead_letters_total, 0+1x60, RingsideDeadLetters",
  })
  void tellsOfAgentsByTheirShareOfAFleet(
      String metric, String wrong, String alert, @TempDir Path folder) throws Exception {
    var series = new ArrayList<String>();
    for (var fleet : List.of("one-of-100 1 100", "three-of-100 3 100", "one-of-10 1 10")) {
      var parts = fleet.split(" ");
      for (int i = 0; i < Integer.parseInt(parts[2]); i++) {
        series.add(
            "{series: '%s{cluster=\"%s\",node=\"n%d\"}', values: '%s'}"
                .formatted(metric, parts[0], i, i < Integer.parseInt(parts[1]) ? wrong : "0x60"));
      }
    }

    assertThat(FiringAlerts.over(folder, series, 45, Map.of()).minutes().getLast())
        .filteredOn(it -> it.get("alertname").equals(alert))
        .extracting(it -> it.get("cluster"))
        .containsExactlyInAnyOrder("three-of-100", "one-of-10");
  }

  /// An address without a host leads nowhere: what is configured, or nothing.
  @ParameterizedTest
  @ValueSource(strings = {"base", "overlays/development", "overlays/eks-msk", "overlays/strimzi"})
  void linksLeadSomewhereInEveryOverlay(String overlay, @TempDir Path folder) throws Exception {
    var links =
        Kustomize.render(Repository.path("deploy/kubernetes").resolve(overlay), List.of()).stream()
            .filter(it -> it.get("kind").asString().equals("ConfigMap"))
            .filter(it -> it.at("/metadata/name").asString().startsWith("ringside-links"))
            .map(it -> it.get("data"))
            .toList()
            .getFirst();
    var address = links.get("runbooks").asString();
    var series =
        List.of(
            "{series: 'ringside_links_info{page=\"%s\",runbooks=\"%s\"}', values: '1x60'}"
                .formatted(links.get("page").asString(), address),
            "{series: 'ringside_node_suspect{node=\"n\"}', values: '3x60'}");

    var said = FiringAlerts.over(folder, series, 10, Map.of(8, "RingsideNodeSuspect")).printed();
    assertThat(address).matches("|https?://.*");
    assertThat(links.get("page").asString()).matches("https?://.*");
    assertThat(said)
        .contains("page_url=\"" + links.get("page").asString() + "/#/nodes\"")
        .contains(
            "runbook_url=\""
                + (address.isEmpty() ? "" : address + "/RingsideNodeSuspect.md")
                + "\"");
  }

  @Test
  void hasARunbookForEveryAlertAndNoOther() throws IOException {
    var alerts = all(RULES, "alert: (\\w+)");
    var runbooks =
        InstalledPrograms.files(RUNBOOKS, ".md").stream()
            .map(it -> it.getFileName().toString().replace(".md", ""))
            .toList();

    assertThat(runbooks).containsExactlyInAnyOrderElementsOf(alerts);
    for (var alert : alerts) {
      assertThat(Files.readString(RUNBOOKS.resolve(alert + ".md")))
          .contains("## Meaning", "## First checks", "## Fix", "## Silence");
    }
  }

  @Test
  void raisesAnAlertForEveryKindOfFinding() throws IOException {
    var rules = Files.readString(RULES);

    assertThat(FindingKind.values())
        .extracting(FindingKind::label)
        .allSatisfy(
            kind ->
                assertThat(rules).containsPattern("kind=~?\"([a-z0-9|-]+\\|)?" + kind + "[|\"]"));
  }

  @ParameterizedTest
  @EnumSource(FindingKind.class)
  void aFindingsRunbookSpeaksOfItsKind(FindingKind kind) throws IOException {
    assertThat(Files.readString(Path.of("..", kind.runbook()))).contains(kind.label());
  }

  @ParameterizedTest
  @EnumSource(FindingKind.class)
  void tellsWhatToTry(FindingKind kind) throws IOException {
    var alert = Path.of(kind.runbook()).getFileName().toString().replace(".md", "");
    var rule = Files.readString(RULES).split("- alert: " + alert + "\\b", 2)[1];

    assertThat(rule.split("- alert: ", 2)[0]).contains("\n          try: ");
  }

  @Test
  void inhibitsOnlyAlertsThatExist() throws IOException {
    assertThat(all(RULES, "alert: (\\w+)"))
        .containsAll(all(FOLDER.resolve("alertmanager.yaml"), "\\b(Ringside[A-Z]\\w+)"));
  }

  @Test
  void asksForMetricsThatExist() throws IOException {
    assertThat(DocumentedMetrics.names()).containsAll(all(RULES, "\\b(ringside_[a-z_]+)\\b"));
  }

  @Test
  void keepsJobsOfOneNameApart() throws IOException {
    assertThat(all(RULES, "\\b(?:by|on) \\(([^)]*\\bjob\\b[^)]*)\\)"))
        .isNotEmpty()
        .allMatch(labels -> labels.startsWith("cluster, namespace, job"));
    assertThat(all(RULES, "(\\{cluster=%q[^}]*\\})"))
        .containsExactlyInAnyOrder(
            "{cluster=%q,namespace=%q,job=%q,kind=%q}",
            "{cluster=%q,namespace=%q,job=%q,cause=%q}", "{cluster=%q,symptom=%q}", "{cluster=%q}");
    assertThat(all(RULES, "(/#/job/[^\"]*?)\\{\\{ (?:else|end)"))
        .containsExactly(
            "/#/job/{{ $labels.job | urlquery }}?cluster={{ $labels.cluster | urlquery }}"
                + "&namespace={{ $labels.namespace | urlquery }}");
    assertThat(all(FOLDER.resolve("alertmanager.yaml"), "(\\[[^\\]]*\\bjob\\b[^\\]]*\\])"))
        .allMatch(labels -> labels.contains("cluster, namespace, job"));
  }

  private static List<String> all(Path file, String pattern) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(file))
        .results()
        .map((MatchResult match) -> match.group(1))
        .distinct()
        .toList();
  }
}
