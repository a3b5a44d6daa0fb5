// Nodes that runs blame. Each job sees its own misfortune only; a bad host shows when they are seen together.

import { badge, count, h, icon, incomplete, listed, moment, plural, visible } from "./dom.js";
import { findingLink, jobKey, jobLink, NODES } from "./links.js";

const SHOWN = 3;

export function nodesPage({ nodes, total, missing }) {
  const suspects = nodes.filter((node) => node.suspect);
  const others = nodes.filter((node) => !node.suspect);
  document.title = suspects.length ? `(${suspects.length}) Nodes · Ringside` : "Nodes · Ringside";
  return [
    h("h1.page", {}, "Nodes", h("small", {}, "Whom the findings of the last day hold to blame. A bad host follows users around; each job sees its own misfortune only.")),
    incomplete(missing),
    total ? null : h("div.empty", {}, h("p.big", {}, "No run blames a node."), h("p", {}, "What findings say of a node is remembered for a day; a node that several runs blame is suspect.")),
    suspects.length ? h("section.block", { "aria-labelledby": "suspects" }, h("h2", { id: "suspects" }, "Suspects", h("small", {}, "several runs blame them")), table(suspects, "Suspect nodes")) : null,
    others.length ? h("section.block", { "aria-labelledby": "others" }, h("h2", { id: "others" }, "Blamed once", h("small", {}, "as yet no sign of a bad host")), table(others, "Nodes blamed by one run")) : null,
    listed(nodes.length, total, "node"),
  ];
}

/** The suspects beneath all jobs. */
export function suspectsBlock(nodes, words) {
  const shown = nodes.filter((node) => {
    const text = [node.node, node.cluster, ...node.jobs.flatMap((it) => [it.namespace, it.job]), ...Object.keys(node.gpus)].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return shown.length
    ? h("section.block", { "aria-labelledby": "suspects" },
      h("h2", { id: "suspects" }, "Suspect nodes", h("small", {}, "several runs blame them · ", h("a", { id: "all-nodes", href: NODES }, "all blamed nodes"))),
      table(shown, "Suspect nodes"))
    : null;
}

function table(nodes, caption) {
  return h("div.scroll", { tabindex: "0", role: "region", "aria-label": caption },
    h("table.list.nodes", {},
      h("caption.visually-hidden", {}, `${caption}, most runs first`),
      h("thead", {}, h("tr", {},
        h("th", { scope: "col" }, "Node"),
        h("th.num", { scope: "col" }, "Runs"),
        ["Jobs", "GPUs", "Blamed for"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, nodes.map(row))));
}

function row(node) {
  const key = `${node.cluster}-${node.node}`;
  return h(node.suspect ? "tr.warning" : "tr", {},
    h("th.name", { scope: "row" },
      node.suspect ? icon("warning") : null,
      h("span", {}, visible(node.node)),
      h("small", {}, [node.cluster, node.suspect ? "suspect" : ""].filter(Boolean).join(" · "))),
    h("td.num", {}, count(node.runs), h("small", {}, `of ${plural(node.jobs.length, "job")}`)),
    h("td", {}, h("ul.plain", {}, node.jobs.map((job) =>
      h("li", {}, h("a", { id: `node-${key}-${jobKey(job)}`, href: jobLink(job) }, visible(job.job)), job.namespace ? h("small", {}, " ", visible(job.namespace)) : null)))),
    h("td", {}, gpus(node)),
    h("td.blames", {}, h("ul.plain", {}, node.blames.slice(0, SHOWN).map((it) => blame(it, node))), rest(node, key)));
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
    h("small", {}, "in ", visible(it.job), it.namespace ? [" (", visible(it.namespace), ")"] : "", " · run ", h("code", {}, visible(it.run.slice(0, 10))), " · ", moment(it.at, 16)));
}

function rest(node, key) {
  const more = node.blames.slice(SHOWN);
  return more.length
    ? h("details", { "data-key": `blames-${key}` },
      h("summary", { id: `blames-${key}` }, `${plural(more.length, "more finding")}`),
      h("ul.plain", {}, more.map((it) => blame(it, node))))
    : null;
}
