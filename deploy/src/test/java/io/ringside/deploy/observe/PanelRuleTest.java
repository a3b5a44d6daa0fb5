package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Each rule finds what it is there for: a panel that keeps it is changed into one that somebody
/// saw.
class PanelRuleTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String COLUMN = "/fieldConfig/overrides/%d/properties/0/value";

  /// @param rule that must be broken then
  /// @param panel that is changed
  /// @param pointer to what is set
  /// @param value as JSON; empty takes it away
  record Mutation(String rule, String board, String panel, String pointer, String value) {
    @Override
    public String toString() {
      return rule + ": " + panel + " " + pointer + " = " + value;
    }
  }

  static List<Mutation> mutations() {
    return List.of(
        // a
        fleet(
            "throws the mappings of its states away",
            "Verdict of the ten worst jobs",
            "/fieldConfig/defaults/color/mode",
            "\"thresholds\""),
        fleet(
            "throws the mappings of its states away",
            "Verdict of the ten worst jobs",
            "/fieldConfig/defaults/mappings",
            ""),
        fleet(
            "draws as many lines as there are things",
            "Verdict of the ten worst jobs",
            "/targets/0/expr",
            "\"max by (cluster, namespace, job) (ringside_job_verdict)\""),
        // b
        fleet(
            "makes numbers of labels",
            "Jobs, worst first",
            "/fieldConfig/defaults/unit",
            "\"short\""),
        job("makes numbers of labels", "Versions", "/fieldConfig/defaults/unit", "\"none\""),
        fleet(
            "has a column of numbers without unit",
            "Nodes that others wait for",
            "/fieldConfig/overrides/2/properties",
            "[]"),
        job("has no unit", "Step time", "/fieldConfig/defaults/unit", ""),
        // c
        job(
            "sorts numbers as text",
            "Waits by rank",
            "/targets/0/expr",
            "\"sum by (rank) (rate(ringside_job_rank_wait_seconds_total[5m]))\""),
        job(
            "sorts numbers as text",
            "Most blamed ranks of the newest run",
            "/transformations/0/options/conversions",
            "[]"),
        job(
            "sorts numbers as text",
            "Who kept the others waiting",
            "/targets/0/expr",
            "\"topk(10, ringside_job_wait_blamed_seconds_total)\""),
        // d
        pipeline(
            "has chance colours for what means something",
            "Jobs by verdict",
            "/fieldConfig/overrides",
            "[]"),
        pipeline(
            "has chance colours for what means something",
            "Agents by how they fare",
            "/fieldConfig/overrides",
            "[]"),
        fleet(
            "has chance colours for what means something",
            "Jobs by network",
            "/fieldConfig/overrides",
            "[]"),
        pipeline(
            "gives a meaning another colour",
            "Jobs by verdict",
            COLUMN.formatted(0) + "/fixedColor",
            "\"dark-green\""),
        job(
            "gives a meaning another colour",
            "Verdict",
            "/fieldConfig/defaults/mappings/0/options/3/color",
            "\"dark-green\""),
        fleet(
            "has chance colours for what means something",
            "Active findings by kind",
            "/fieldConfig/overrides/7/matcher/options",
            "\"unheard-of\""),
        fleet(
            "paints a finding like what is well",
            "Active findings by kind",
            "/fieldConfig/overrides/7/properties/0/value/fixedColor",
            "\"semi-dark-green\""),
        job(
            "gives a meaning another colour",
            "State",
            "/fieldConfig/overrides/2/properties/0/value/fixedColor",
            "\"super-light-orange\""),
        fleet(
            "tells apart by colour alone",
            "Verdict of the ten worst jobs",
            "/options/showValue",
            "\"never\""),
        fleet(
            "tells lines apart by colour alone",
            "Jobs by verdict",
            "/fieldConfig/overrides/1/properties/1/value",
            "{\"fill\": \"solid\"}"),
        pipeline(
            "tells lines apart by colour alone",
            "Agents by version",
            "/options/tooltip/mode",
            "\"single\""),
        node(
            "tells lines apart by colour alone",
            "Power",
            "/fieldConfig/overrides/4/properties/1/value",
            "{\"fill\": \"solid\"}"),
        node(
            "tells lines apart by colour alone",
            "Utilization",
            "/fieldConfig/overrides/3/matcher/options",
            "\"GPU 9\""),
        node("tells lines apart by colour alone", "Bytes behind", "/fieldConfig/overrides", "[]"),
        job(
            "tells lines apart by colour alone",
            "Power",
            "/fieldConfig/overrides/4/properties/1",
            "{\"id\": \"custom.lineWidth\", \"value\": 2}"),
        pipeline(
            "tells lines apart by colour alone",
            "Lag of the slowest agents",
            "/fieldConfig/overrides/0/properties/1/value",
            "{\"fill\": \"solid\"}"),
        pipeline(
            "tells lines apart by colour alone", "Threads", "/options/legend/showLegend", "false"),
        fleet(
            "leaves red and green to chance",
            "Money lost to waits per hour",
            "/fieldConfig/defaults/color/mode",
            "\"palette-classic\""),
        pipeline(
            "leaves red and green to chance",
            "CPU",
            "/fieldConfig/defaults/color/fixedColor",
            "\"dark-green\""),
        node(
            "paints one of many as good or bad",
            "Power",
            "/fieldConfig/overrides/4/properties/0/value/fixedColor",
            "\"semi-dark-red\""),
        fleet(
            "paints sockets like what is faster",
            "Jobs by network",
            "/fieldConfig/overrides/2/matcher/options",
            "\"/^Socket|NET/\""),
        pipeline(
            "stacks by the alphabet",
            "Jobs by verdict",
            "/targets/0/legendFormat",
            "\"{{verdict}}\""),
        pipeline(
            "draws lines of zeros",
            "Lag by topic",
            "/targets/0/expr",
            "\"sum by (topic) (ringside_streams_lag_records)\""),
        fleet(
            "cuts the values of its legend",
            "Money lost to waits per hour",
            "/options/legend/width",
            "260"),
        pipeline(
            "cuts the values of its legend",
            "Time from record to step",
            "/options/legend/width",
            "220"),
        job("does not draw the rest", "Waits by rank", "/targets/1/legendFormat", "\"\""),
        pipeline(
            "draws zeros on top of a stack",
            "Agents by how they fare",
            "/targets/0/expr",
            "\"sum by (state) (ringside_agents)\""),
        job(
            "cannot be read on its colour",
            "Worst slowdown",
            "/fieldConfig/defaults/thresholds/steps/1/color",
            "\"orange\""),
        fleet("cannot be read on its colour", "Critical", "/options/colorMode", "\"value\""),
        job(
            "tells apart by colour alone",
            "Verdict",
            "/fieldConfig/defaults/mappings/0/options/3/text",
            "\"3\""),
        // e
        node(
            "colours what has no value",
            "Throttled",
            "/fieldConfig/defaults/thresholds/steps/0/color",
            "\"green\""),
        node("says No data", "Throttled", "/fieldConfig/defaults/noValue", ""),
        fleet("says No data", "Suspect nodes", "/fieldConfig/defaults/noValue", "\"No data\""),
        node(
            "says in tiny letters that it has nothing",
            "Uncorrected memory errors",
            "/fieldConfig/defaults/noValue",
            "\"not told by these GPUs, or the node's agent is not scraped, or silent\""),
        fleet(
            "calls the only answer Value",
            "What faults cost",
            "/transformations/1/options/renameByName/Value",
            ""),
        fleet("cuts the title of a number", "Ranks not heard", "/title", "\"Ranks without lines\""),
        fleet(
            "knows nothing where nothing is lost",
            "GPU time lost to findings",
            "/targets/0/expr",
            "\"sum(ringside_finding_lost_gpu_seconds)\""),
        job("shows a factor without ×", "Worst slowdown", "/fieldConfig/defaults/unit", "\"none\""),
        job("counts in c/s", "Rounds of collectives", "/fieldConfig/defaults/unit", "\"cps\""),
        job("counts in c/s", "Samples and steps", COLUMN.formatted(0), "\"cpm\""),
        job(
            "has no end to the axis of a share",
            "Share of time in which all wait for a last rank",
            "/fieldConfig/defaults/max",
            ""),
        pipeline(
            "writes at its axis that it has nothing",
            "Agents by version",
            "/fieldConfig/defaults/decimals",
            "0"),
        // f
        fleet(
            "cuts the names of columns",
            "What is wrong now",
            "/fieldConfig/overrides/6/properties",
            "[{\"id\": \"custom.width\", \"value\": 110}, {\"id\": \"noValue\", \"value\": \"–\"}]"),
        fleet(
            "says in a cell what it says of itself",
            "Alerts that fire",
            "/fieldConfig/overrides/2/properties",
            "[{\"id\": \"custom.width\", \"value\": 130}]"),
        job(
            "sorts severities by the alphabet",
            "Active findings",
            "/transformations/2/options/indexByName",
            "{\"severity\": 0}"),
        job("is not sorted by its weight", "Checklist of the newest run", "/options/sortBy", "[]"),
        job("is not sorted by its weight", "Active findings", "/options/sortBy/0/desc", "false"),
        job("hides rows of the checklist", "Checklist of the newest run", "/gridPos/h", "9"),
        job(
            "cuts sentences",
            "Expected",
            "/fieldConfig/overrides/1/properties",
            "[{\"id\": \"custom.width\", \"value\": 600}]"),
        fleet(
            "lists what is at zero",
            "Failed checks",
            "/targets/0/expr",
            "\"sum by (check) (ringside_checklist_status == bool 0)\""),
        node("has columns outside of the panel", "Now", "/gridPos/w", "8"),
        fleet(
            "has columns outside of the panel",
            "GPUs unlike their peers",
            COLUMN.formatted(3),
            "900"),
        node(
            "has columns that nobody ordered",
            "Now",
            "/targets/0/expr",
            "\"max by (index, gpu, uuid, kernel) (x)\""),
        // g
        job(
            "lists GPUs that are like their peers",
            "GPUs that stand apart",
            "/targets/0/expr",
            "\"topk(20, ringside_job_rank_gpu_power_watts)\""),
        fleet(
            "lists GPUs that are like their peers",
            "GPUs unlike their peers",
            "/options/sortBy",
            "[]"),
        job(
            "has a legend that takes the plot's room",
            "Power",
            "/options/legend/placement",
            "\"bottom\""),
        fleet(
            "draws as many lines as there are things",
            "Money lost to waits per hour",
            "/targets/0/expr",
            "\"sum by (cluster, namespace, job) (rate(x[5m]))\""),
        fleet(
            "does not draw the rest",
            "Money lost to waits per hour",
            "/targets/1/legendFormat",
            "\"\""),
        fleet(
            "has a table without end",
            "Jobs, worst first",
            "/targets/0/expr",
            "\"max by (cluster, namespace, job) (ringside_job_verdict)\""),
        // h
        fleet(
            "has a column called start or of",
            "Jobs, worst first",
            "/transformations/1/options/renameByName/Value #F",
            "\"start\""),
        // what else was wrong
        fleet(
            "is red for a job that ended",
            "Jobs, worst first",
            "/fieldConfig/overrides/4/properties/1/value/0/options/ended",
            "{\"text\": \"✖ ended\", \"color\": \"semi-dark-red\"}"),
        node("explains itself to nobody", "Power", "/description", "\"\""),
        node(
            "joins over the instance",
            "Log lag",
            "/targets/0/expr",
            "\"x * on (instance) group_left (node) ringside_shipper_info\""),
        fleet(
            "names a job without its namespace",
            "Money lost to waits per hour",
            "/targets/0/legendFormat",
            "\"{{job}}\""),
        fleet(
            "leads to a job without cluster and namespace",
            "Jobs, worst first",
            "/fieldConfig/overrides/1/properties/1/value/1/url",
            "\"${page}/#/job/${__data.fields.job}\""),
        job(
            "leads to a node without its cluster",
            "Most blamed ranks of the newest run",
            "/fieldConfig/overrides/1/properties/1/value/0/url",
            "\"/d/ringside-node?var-node=${__data.fields.node}\""),
        node(
            "asks for a node without its cluster",
            "Log lag",
            "/targets/0/expr",
            "\"ringside_shipper_lag_seconds{node=\\\"$node\\\"}\""));
  }

  private static Mutation fleet(String rule, String panel, String pointer, String value) {
    return new Mutation(rule, "fleet", panel, pointer, value);
  }

  private static Mutation job(String rule, String panel, String pointer, String value) {
    return new Mutation(rule, "job", panel, pointer, value);
  }

  private static Mutation node(String rule, String panel, String pointer, String value) {
    return new Mutation(rule, "node", panel, pointer, value);
  }

  private static Mutation pipeline(String rule, String panel, String pointer, String value) {
    return new Mutation(rule, "pipeline", panel, pointer, value);
  }

  @ParameterizedTest
  @MethodSource("mutations")
  void findsWhatItIsThereFor(Mutation mutation) {
    var rule = PanelRule.all().stream().filter(it -> it.name().equals(mutation.rule())).findFirst();
    var panel = panel(mutation);

    assertThat(rule).isPresent();
    assertThat(rule.orElseThrow().brokenBy(new Panel("as it is", panel))).isFalse();
    set(panel, mutation);
    assertThat(rule.orElseThrow().brokenBy(new Panel("changed", panel))).isTrue();
  }

  @Test
  void provesEveryRule() {
    assertThat(mutations().stream().map(Mutation::rule).distinct().toList())
        .containsExactlyInAnyOrderElementsOf(
            PanelRule.all().stream().map(PanelRule::name).toList());
  }

  private static ObjectNode panel(Mutation mutation) {
    var file = Repository.path("grafana/dashboards/ringside-" + mutation.board() + ".json");
    return JSON.readTree(file.toFile())
        .get("panels")
        .valueStream()
        .filter(it -> it.get("title").asString().equals(mutation.panel()))
        .map(ObjectNode.class::cast)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no panel " + mutation.panel()));
  }

  private static void set(ObjectNode panel, Mutation mutation) {
    int cut = mutation.pointer().lastIndexOf('/');
    var parent = panel.at(mutation.pointer().substring(0, cut));
    var last = mutation.pointer().substring(cut + 1);
    if (parent instanceof ArrayNode list) {
      list.set(Integer.parseInt(last), JSON.readTree(mutation.value()));
    } else if (mutation.value().isEmpty()) {
      ((ObjectNode) parent).remove(last);
    } else {
      ((ObjectNode) parent).set(last, JSON.readTree(mutation.value()));
    }
  }
}
