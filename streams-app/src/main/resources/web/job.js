// One job: what holds now, its newest run in detail, and what changed between its runs.

import { badge, copyButton, count, duration, goesOn, h, icon, moment, plural, seconds, some, standing, visible } from "./dom.js";
import { billBlock } from "./bill.js";
import { differenceBlock } from "./difference.js";
import { findingCards, source } from "./finding.js";
import { gpusBlock } from "./gpus.js";
import { historyBlock, judged } from "./history.js";
import { jobMarkdown } from "./markdown.js";
import { matrixBlock } from "./matrix.js";
import { term } from "./terms.js";
import { stepsBlock } from "./timeline.js";
import { waitsBlock } from "./waits.js";

/** @param finding the id of the one that the address opens, if any: its run is shown unless another was chosen */
export function jobPage({ detail, view, finding, change }) {
  const { overview, runs, findings } = detail;
  document.title = `${overview.job} · Ringside`;
  const wanted = view.run || findings.find((it) => it.id === finding)?.run;
  const run = runs.find((it) => it.run === wanted) ?? runs[0];
  const mine = findings.filter((it) => !run || !it.run || it.run === run.run);
  const others = findings.length - mine.length;
  return [
    h("p.crumbs", {}, h("a", { href: "#/" }, "All jobs")),
    h("header.job", {},
      h("h1", {}, visible(overview.job)),
      badge(overview.verdict),
      h("span.muted", {}, term(overview.state, standing(overview)), [overview.namespace, overview.cluster].filter(Boolean).map((it) => ` · ${visible(it)}`)),
      h("span.actions", {},
        copyButton("Copy as Markdown", () => jobMarkdown({ overview, run, findings: mine }), "copy-job"),
        h("button.quiet", { id: "print", type: "button", onclick: () => window.print() }, "Print"))),
    historyBlock(runs, findings, run, view, change),
    run ? facts(run) : null,
    h("div.columns", {},
      h("div.main", {},
        h("section.block", { "aria-labelledby": "findings" },
          h("h2", { id: "findings" }, "Findings"),
          mine.length ? findingCards(mine) : h("p.empty", {}, nothing(run)),
          others ? h("p.muted", {}, `${plural(others, "finding")} about other runs of this job.`) : null),
        run ? [notJudged(run), billBlock(run), stepsBlock(run), waitsBlock(run, view, change), matrixBlock(run)] : null),
      run ? h("div.side", {}, checklist(run), transports(run), gpusBlock(run), differenceBlock(run, runs, view, change), environment(run)) : null),
  ];
}

/** No finding means that all is well only where something was judged. */
function nothing(run) {
  if (!run) return "Nothing to report.";
  if (!judged(run)) return "Too little was told for a verdict: this is not known to be healthy.";
  return run.notJudged?.length ? `No fault found. Not judged: ${run.notJudged.map((it) => visible(it.what)).join(", ")}.` : "No fault found.";
}

/** What the lines tell too little of, and what would help. */
function notJudged(run) {
  if (!run.notJudged?.length) return null;
  return h("section.block.card", { "aria-labelledby": "not-judged" },
    h("h2", { id: "not-judged" }, term("not judged", "Not judged")),
    h("dl.facts", {}, run.notJudged.map((it) => [h("dt", {}, visible(it.what)), h("dd", {}, visible(it.because))])));
}

function facts(run) {
  const length = run.since && run.until && run.since !== run.until ? duration(seconds(run.since, run.until)) : null;
  const missing = run.ranksSeen < run.nranks;
  return h("dl.strip", {},
    item(term("network", "Network"), run.network || "not known"),
    item(term("ranks", "Ranks"), missing ? h("span.gap", {}, `${count(run.ranksSeen)} of ${count(run.nranks)} seen`) : `${count(run.nranks)}, all seen`),
    item(term("node", "Nodes"), names(run.nodes, "nodes")),
    item(term("pod", "Pods"), names(run.pods, "pods")),
    run.instanceType ? item(term("machine", "Machine"), run.instanceType) : null,
    item(term("NCCL"), run.ncclVersion || "not known"),
    run.pluginVersion ? item(term("OFI plugin"), run.pluginVersion) : null,
    run.libfabricVersion ? item(term("libfabric", "Libfabric"), run.libfabricVersion) : null,
    item(term("channels", "Channels"), run.channels || "not known"),
    item("Started", moment(run.since)),
    item(goesOn(run.state) ? "Last line" : "Ended", moment(run.until)),
    length ? item("Length", length) : null,
    item(term("run", "Run"), h("code", {}, run.run)));
}

/** One by name, of more the number, opened to their names. */
const names = (all, what) =>
  all.length === 1
    ? visible(all[0])
    : h("details", { "data-key": what }, h("summary", { id: `names-${what}` }, count(all.length)), h("small", {}, some(all.map(visible), 64)));

const item = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

function checklist(run) {
  const failed = run.checklist.filter((check) => check.status === "fail").length;
  return h("section.block", { "aria-labelledby": "checklist" },
    h("h2", { id: "checklist" }, term("checklist", "Checklist"), h("small", {}, failed ? `${plural(failed, "check")} failed` : "nothing failed")),
    h("ul.checks", {}, run.checklist.map((check) => {
      const row = [icon(check.status), h("span.visually-hidden", {}, `${check.status}: `), h("span.check", {}, term(check.name)), h("span.detail", {}, visible(check.detail))];
      return h(`li.${check.status}`, {}, check.line
        ? h("details", { "data-key": `check-${check.name}` }, h("summary", { id: `check-${check.name}` }, row), source([check.line], `check-${check.name}`))
        : h("div.plain", {}, row));
    })));
}

/** The word that explains a transport in NCCL's words. */
const family = (transport) => ["GDRDMA", "NET/Socket", "SHM", "P2P"].find((it) => transport.includes(it)) ?? transport;

function transports(run) {
  if (!run.transports.length) return null;
  const most = Math.max(...run.transports.map((it) => it.edges));
  const classes = [...new Set(run.transports.map((it) => it.edgeClass))];
  return h("section.block", { "aria-labelledby": "transport" },
    h("h2", { id: "transport" }, term("transport", "Transport"), h("small", {}, "edges by class")),
    classes.map((name) => {
      const rows = run.transports.filter((it) => it.edgeClass === name);
      const expected = rows.find((it) => it.expected)?.expected;
      return h("div.edges", {},
        h("h3", {}, term(name)),
        h("table", {},
          h("caption.visually-hidden", {}, `Transports of ${name} edges`),
          h("tbody", {}, rows.map((it) =>
            h("tr", {}, h("th", { scope: "row" }, h("code", {}, term(family(it.transport), visible(it.transport)))),
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
      h("summary", { id: "environment" }, h("h2", {}, term("environment", "Environment"), h("small", {}, plural(names.length, "variable")))),
      h("dl.env", {}, names.map((name) => [h("dt", {}, name), h("dd", {}, h("code", {}, visible(run.environment[name])))]))));
}
