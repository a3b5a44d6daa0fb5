// All jobs on one screen, worst first.

import { badge, count, goesOn, gpuTime, h, icon, incomplete, listed, moment, plural, roughly, searchBox, seconds, standing, table, visible } from "./dom.js";
import { findingCard } from "./finding.js";
import { jobKey, jobLink } from "./links.js";
import { suspectsBlock } from "./nodes.js";
import { term } from "./terms.js";

const VERDICTS = ["critical", "warning", "info", "ok", "unknown"];

export function fleetPage({ list, unowned, suspects, view, change }) {
  const { jobs, total, verdicts, missing } = list;
  document.title = verdicts.critical ? `(${verdicts.critical}) Ringside` : "Ringside";
  const words = view.search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = jobs.filter((job) => matches(job, view.verdict, words));
  return [
    h("h1.visually-hidden", {}, "Training jobs"),
    h("section.toolbar", { "aria-label": "Filter" },
      h("div.tiles", { role: "group", "aria-label": "Verdict" }, VERDICTS.filter((it) => verdicts[it] || it !== "unknown").map((verdict) => tile(verdict, verdicts[verdict], view, change))),
      searchBox("Find a job", "Find a job, node, network…   /", view, change)),
    incomplete(missing),
    jobs.length ? h("div.block", {}, jobsTable(shown, jobs.length), listed(jobs.length, total, "job")) : nothingYet(),
    suspectsBlock(suspects, words),
    unowned.length
      ? h("section.block", {}, h("h2", {}, "Findings about nodes"), unowned.map((finding) => findingCard(finding)))
      : null,
  ];
}

function matches(job, verdict, words) {
  if (verdict && job.verdict !== verdict) return false;
  const text = [job.job, job.namespace, job.cluster, job.network, job.instanceType, job.headline, job.run, ...job.nodes].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

function tile(verdict, n, view, change) {
  const pressed = view.verdict === verdict;
  return h(`button.tile.${verdict}`, {
    id: `tile-${verdict}`,
    type: "button",
    "aria-pressed": String(pressed),
    onclick: () => change({ verdict: pressed ? "" : verdict }),
  }, icon(verdict), h("strong", {}, count(n)), h("span", {}, verdict));
}

const columns = () => [
  { name: term("severity", "Verdict") },
  { name: "Job" },
  { name: "What matters most" },
  { name: term("network", "Network") },
  { name: term("ranks", "Ranks"), num: true },
  { name: term("lost", "Lost"), num: true },
  { name: "Last line" },
];

function jobsTable(jobs, total) {
  if (!jobs.length) return h("p.empty", {}, `None of ${plural(total, "job")} matches.`);
  return h("div.list-box", {}, table("table.list.jobs", "Jobs, worst first", columns(), jobs.map(row)));
}

function row(job) {
  const missing = job.ranksSeen < job.nranks;
  return h(`tr.${job.verdict}`, { role: "row", onclick: (event) => follow(event, job) },
    h("td.verdict", { role: "cell" }, badge(job.verdict)),
    h("th.name", { scope: "row", role: "rowheader" },
      h("a", { id: `job-${jobKey(job)}`, href: jobLink(job) }, visible(job.job)),
      h("small", {}, [visible(job.namespace), visible(job.cluster), standing(job), job.attempt > 1 ? `start ${job.attempt}` : "", job.instanceType].filter(Boolean).join(" · "))),
    h("td.headline", { role: "cell" },
      h("span.sentence", {}, visible(job.headline)),
      rest(job)),
    h("td", { role: "cell", "data-label": "network" }, job.network || h("span.muted", {}, "–")),
    h("td.num", { role: "cell", "data-label": "ranks" },
      h(missing ? "span.gap" : "span", {},
        missing ? `${count(job.ranksSeen)} of ${count(job.nranks)} seen` : job.nranks ? count(job.nranks) : "–"),
      job.nodes.length > 1 ? h("small", {}, plural(job.nodes.length, "node")) : null),
    h("td.num", { role: "cell", "data-label": "lost" }, job.lostGpuSeconds === null ? h("span.muted", {}, "–") : gpuTime(job.lostGpuSeconds)),
    h("td.when", { role: "cell", "data-label": "last line" }, job.until ? moment(job.until) : h("span.muted", {}, "–"), age(job)));
}

function rest(job) {
  const { critical, warning, info, cleared } = job.findings;
  const more = critical + warning + info - 1;
  const parts = [];
  if (more > 0) parts.push(`${more} more active`);
  if (cleared) parts.push(`${cleared} ended`);
  if (job.checks.fail) parts.push(`${job.checks.fail} of ${job.checks.pass + job.checks.fail + job.checks.unknown} checks fail`);
  return parts.length ? h("small", {}, parts.join(" · ")) : null;
}

function age(job) {
  if (!job.until || !goesOn(job.state)) return null;
  const s = seconds(job.until, Date.now());
  return s >= 0 && s < 86_400 ? h("small", {}, `${roughly(s)} ago`) : null;
}

function follow(event, job) {
  if (event.target.closest("a") || window.getSelection().toString()) return;
  location.hash = jobLink(job);
}

function nothingYet() {
  return h("div.empty", {},
    h("p.big", {}, "No job has been seen yet."),
    h("p", {}, "A job appears with the first NCCL line of one of its ranks. It needs ", h("code", {}, "NCCL_DEBUG=INFO"),
      " in its environment, and an agent on its nodes."));
}
