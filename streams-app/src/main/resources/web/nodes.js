// Nodes that runs blame. Each job sees its own misfortune only; a bad host shows when they are seen together.

import { badge, count, h, icon, incomplete, listed, moment, plural, searchBox, table, visible } from "./dom.js";
import { findingLink, jobKey, jobLink, NODES } from "./links.js";
import { term } from "./terms.js";

const SHOWN = 3;

export function nodesPage({ list, view, change }) {
  const { nodes, total, missing } = list;
  const words = view.search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = nodes.filter((node) => matches(node, words));
  const suspects = found.filter((node) => node.suspect);
  const others = found.filter((node) => !node.suspect);
  const all = nodes.filter((node) => node.suspect).length;
  document.title = all ? `(${all}) Nodes · Ringside` : "Nodes · Ringside";
  return [
    h("h1.page", {}, "Nodes", h("small", {}, "Nodes that findings of the last 24 hours blame. A bad host hurts one job after another, and no single job can see that.")),
    total
      ? h("section.toolbar", { "aria-label": "Filter" }, searchBox("Find a node", "Find a node, job, GPU…   /", view, change))
      : h("div.empty", {}, h("p.big", {}, "No run blames a node."), h("p", {}, "What findings say of a node is remembered for a day; a node that several runs blame is suspect.")),
    incomplete(missing),
    total && !found.length ? h("p.empty", {}, `None of ${plural(nodes.length, "node")} matches.`) : null,
    suspects.length ? h("section.block", { "aria-labelledby": "suspects" }, h("h2", { id: "suspects" }, term("suspect", "Suspects"), h("small", {}, "several runs blame them")), nodesTable(suspects, "Suspect nodes")) : null,
    others.length ? h("section.block", { "aria-labelledby": "others" }, h("h2", { id: "others" }, "Blamed once", h("small", {}, "as yet no sign of a bad host")), nodesTable(others, "Nodes blamed by one run")) : null,
    listed(nodes.length, total, "node"),
  ];
}

function matches(node, words) {
  const text = [node.node, node.cluster, ...node.jobs.flatMap((it) => [it.namespace, it.job]), ...Object.keys(node.gpus)].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The suspects beneath all jobs. */
export function suspectsBlock(nodes, words) {
  const shown = nodes.filter((node) => matches(node, words));
  return shown.length
    ? h("section.block", { "aria-labelledby": "suspects" },
      h("h2", { id: "suspects" }, "Suspect nodes", h("small", {}, "several runs blame them · ", h("a", { id: "all-nodes", href: NODES }, "all blamed nodes"))),
      nodesTable(shown, "Suspect nodes"))
    : null;
}

const columns = () => [{ name: term("node", "Node") }, { name: term("run", "Runs"), num: true }, { name: "Jobs" }, { name: "GPUs" }, { name: "Blamed for" }];

const nodesTable = (nodes, caption) => h("div.list-box", {}, table("table.list.nodes", `${caption}, most runs first`, columns(), nodes.map(row)));

function row(node) {
  const key = `${node.cluster}-${node.node}`;
  return h(node.suspect ? "tr.warning" : "tr", { role: "row" },
    h("th.name", { scope: "row", role: "rowheader" },
      node.suspect ? icon("warning") : null,
      h("span", {}, visible(node.node)),
      h("small", {}, [node.cluster, node.suspect ? "suspect" : ""].filter(Boolean).join(" · "))),
    h("td.num", { role: "cell", "data-label": "runs" }, count(node.runs), h("small", {}, `of ${plural(node.jobs.length, "job")}`)),
    h("td.of-jobs", { role: "cell", "data-label": "jobs" }, h("ul.plain", {}, node.jobs.map((job) =>
      h("li", {}, h("a", { id: `node-${key}-${jobKey(job)}`, href: jobLink(job) }, visible(job.job)), job.namespace ? h("small", {}, " ", visible(job.namespace)) : null)))),
    h("td.of-gpus", { role: "cell", "data-label": "GPUs" }, gpus(node)),
    h("td.blames", { role: "cell" }, h("ul.plain", {}, node.blames.slice(0, SHOWN).map((it) => blame(it, node))), rest(node, key)));
}

function gpus({ gpus: runs }) {
  const names = Object.keys(runs).sort((a, b) => runs[b] - runs[a] || a.localeCompare(b));
  if (!names.length) return h("span.muted", {}, "–");
  return h("ul.plain", {},
    names.slice(0, SHOWN).map((gpu) => h("li", {}, h("code", {}, visible(gpu)), h("small", {}, ` ${plural(runs[gpu], "run")}`))),
    names.length > SHOWN ? h("li.muted", {}, `and ${names.length - SHOWN} more`) : null);
}

function blame(it, node) {
  return h("li", {},
    badge(it.severity),
    h("a", { id: `blame-${node.cluster}-${node.node}-${it.namespace}-${it.finding}`, href: findingLink(it, node.cluster) },
      h("span.kind", {}, it.kind), h("span.visually-hidden", {}, `, the finding in ${it.job}`)),
    h("small", {}, "in ", visible(it.job), it.namespace ? [" (", visible(it.namespace), ")"] : "", " · run ", h("code", {}, visible(it.run.slice(0, 10))), " · ", moment(it.at, "minute")));
}

function rest(node, key) {
  const more = node.blames.slice(SHOWN);
  return more.length
    ? h("details", { "data-key": `blames-${key}` },
      h("summary", { id: `blames-${key}` }, `${plural(more.length, "more finding")}`),
      h("ul.plain", {}, more.map((it) => blame(it, node))))
    : null;
}
