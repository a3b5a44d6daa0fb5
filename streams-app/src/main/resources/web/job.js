// One job: what holds now, its newest run in detail, and what changed between its runs.

import { badge, count, duration, goesOn, h, icon, moment, plural, seconds, some, visible } from "./dom.js";
import { billBlock } from "./bill.js";
import { differenceBlock } from "./difference.js";
import { evidence, findingCards } from "./finding.js";
import { gpusBlock } from "./gpus.js";
import { matrixBlock } from "./matrix.js";
import { stepsBlock } from "./timeline.js";
import { waitsBlock } from "./waits.js";

export function jobPage({ detail, view, change }) {
  const { overview, runs, findings } = detail;
  document.title = `${overview.job} · Ringside`;
  const run = runs.find((it) => it.run === view.run) ?? runs[0];
  const mine = findings.filter((it) => !run || !it.run || it.run === run.run);
  const others = findings.length - mine.length;
  return [
    h("p.crumbs", {}, h("a", { href: "#/" }, "All jobs")),
    h("header.job", {},
      h("h1", {}, visible(overview.job)),
      badge(overview.verdict),
      h("span.muted", {}, [overview.state, overview.namespace, overview.cluster].filter(Boolean).join(" · "))),
    runs.length > 1 ? runTabs(runs, run, change) : null,
    run ? facts(run) : null,
    h("div.columns", {},
      h("div.main", {},
        h("section.block", { "aria-labelledby": "findings" },
          h("h2", { id: "findings" }, "Findings"),
          mine.length ? findingCards(mine) : h("p.empty", {}, run ? "Nothing to report about this run." : "Nothing to report."),
          others ? h("p.muted", {}, `${plural(others, "finding")} about other runs of this job.`) : null),
        run ? [billBlock(run), stepsBlock(run), waitsBlock(run, view, change), matrixBlock(run)] : null),
      run ? h("div.side", {}, checklist(run), transports(run), gpusBlock(run), differenceBlock(run, runs, view, change), environment(run)) : null),
  ];
}

function runTabs(runs, current, change) {
  return h("div.tabs", { role: "group", "aria-label": "Runs, newest first" }, runs.slice(0, 12).map((run) =>
    h("button.tab", {
      id: `run-${run.run}`,
      type: "button",
      "aria-pressed": String(run === current),
      onclick: () => change({ run: run.run }),
    }, h("strong", {}, `Start ${run.attempt}`), h("code", {}, run.run.slice(0, 10)), h("small", {}, run.state))),
    runs.length > 12 ? h("span.muted", {}, `and ${runs.length - 12} older`) : null);
}

function facts(run) {
  const length = run.since && run.until && run.since !== run.until ? duration(seconds(run.since, run.until)) : null;
  const missing = run.ranksSeen < run.nranks;
  return h("dl.strip", {},
    item("Network", run.network || "not known"),
    item("Ranks", missing ? h("span.gap", {}, `${count(run.ranksSeen)} of ${count(run.nranks)} seen`) : `${count(run.nranks)}, all seen`),
    item("Nodes", h("span", { title: run.nodes.join("\n") }, run.nodes.length > 1 ? count(run.nodes.length) : some(run.nodes, 1))),
    item("Pods", h("span", { title: run.pods.join("\n") }, count(run.pods.length))),
    run.instanceType ? item("Machine", run.instanceType) : null,
    item("NCCL", run.ncclVersion || "not known"),
    run.pluginVersion ? item("OFI plugin", run.pluginVersion) : null,
    run.libfabricVersion ? item("Libfabric", run.libfabricVersion) : null,
    item("Channels", run.channels || "not known"),
    item("Started", moment(run.since)),
    item(goesOn(run.state) ? "Last line" : "Ended", moment(run.until)),
    length ? item("Length", length) : null,
    item("Run", h("code", {}, run.run)));
}

const item = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

function checklist(run) {
  const failed = run.checklist.filter((check) => check.status === "fail").length;
  return h("section.block", { "aria-labelledby": "checklist" },
    h("h2", { id: "checklist" }, "Checklist", h("small", {}, failed ? `${plural(failed, "check")} failed` : "nothing failed")),
    h("ul.checks", {}, run.checklist.map((check) => {
      const row = [icon(check.status), h("span.visually-hidden", {}, `${check.status}: `), h("span.check", {}, check.name), h("span.detail", {}, visible(check.detail))];
      return h(`li.${check.status}`, {}, check.line
        ? h("details", { "data-key": `check-${check.name}` }, h("summary", { id: `check-${check.name}` }, row), h("ol", {}, evidence(check.line)))
        : h("div.plain", {}, row));
    })));
}

function transports(run) {
  if (!run.transports.length) return null;
  const most = Math.max(...run.transports.map((it) => it.edges));
  const classes = [...new Set(run.transports.map((it) => it.edgeClass))];
  return h("section.block", { "aria-labelledby": "transport" },
    h("h2", { id: "transport" }, "Transport", h("small", {}, "edges by class")),
    classes.map((name) => {
      const rows = run.transports.filter((it) => it.edgeClass === name);
      const expected = rows.find((it) => it.expected)?.expected;
      return h("div.edges", {},
        h("h3", {}, name),
        h("table", {},
          h("caption.visually-hidden", {}, `Transports of ${name} edges`),
          h("tbody", {}, rows.map((it) =>
            h("tr", {}, h("th", { scope: "row" }, h("code", {}, it.transport)),
              h("td.bar", { "aria-hidden": "true" }, h("i", { width: `${Math.max(2, (100 * it.edges) / most)}%` })),
              h("td.num", {}, count(it.edges)))))),
        expected ? h("p.expected", {}, h("span", {}, "expected: "), expected) : null);
    }));
}

function environment(run) {
  const names = Object.keys(run.environment).sort();
  if (!names.length) return null;
  return h("section.block", {},
    h("details", { "data-key": "environment" },
      h("summary", { id: "environment" }, h("h2", {}, "Environment", h("small", {}, plural(names.length, "variable")))),
      h("dl.env", {}, names.map((name) => [h("dt", {}, name), h("dd", {}, h("code", {}, visible(run.environment[name])))]))));
}
