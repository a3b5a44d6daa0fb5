// All jobs on one screen, worst first.

import { badge, count, duration, goesOn, gpuTime, h, icon, incomplete, listed, moment, plural, seconds } from "./dom.js";
import { findingCard } from "./finding.js";
import { jobKey, jobLink } from "./links.js";
import { suspectsBlock } from "./nodes.js";

const VERDICTS = ["critical", "warning", "info", "ok"];

export function fleetPage({ list, unowned, suspects, view, change }) {
  const { jobs, total, verdicts, missing } = list;
  document.title = verdicts.critical ? `(${verdicts.critical}) Ringside` : "Ringside";
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = jobs.filter((job) => matches(job, view.verdict, words));
  return [
    h("h1.visually-hidden", {}, "Training jobs"),
    h("section.toolbar", { "aria-label": "Filter" },
      h("div.tiles", { role: "group", "aria-label": "Verdict" }, VERDICTS.map((verdict) => tile(verdict, verdicts[verdict], view, change))),
      h("label.search", {},
        h("span.visually-hidden", {}, "Find a job"),
        h("input", {
          id: "search",
          type: "search",
          placeholder: "Find a job, node, network…   /",
          value: view.text,
          autocomplete: "off",
          spellcheck: "false",
          oninput: (event) => change({ text: event.target.value }),
        }))),
    incomplete(missing),
    jobs.length ? h("div.block", {}, table(shown, jobs.length), listed(jobs.length, total, "job")) : nothingYet(),
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

function table(jobs, total) {
  if (!jobs.length) return h("p.empty", {}, `None of ${plural(total, "job")} matches.`);
  return h("div.scroll", { tabindex: "0", role: "region", "aria-label": "Jobs" },
    h("table.list.jobs", {},
      h("caption.visually-hidden", {}, "Jobs, worst first"),
      h("thead", {}, h("tr", {},
        ["Verdict", "Job", "What matters most"].map((name) => h("th", { scope: "col" }, name)),
        h("th", { scope: "col" }, "Network"),
        h("th.num", { scope: "col" }, "Ranks"),
        h("th.num", { scope: "col" }, "Lost"),
        h("th", { scope: "col" }, "Last line, UTC"))),
      h("tbody", {}, jobs.map(row))));
}

function row(job) {
  const missing = job.ranksSeen < job.nranks;
  return h(`tr.${job.verdict}`, { onclick: (event) => follow(event, job) },
    h("td", {}, badge(job.verdict)),
    h("th.name", { scope: "row" },
      h("a", { id: `job-${jobKey(job)}`, href: jobLink(job) }, job.job),
      h("small", {}, [job.namespace, job.cluster, job.state, job.attempt > 1 ? `start ${job.attempt}` : "", job.instanceType].filter(Boolean).join(" · "))),
    h("td.headline", {},
      h("span.sentence", {}, job.headline),
      rest(job)),
    h("td", {}, job.network || h("span.muted", {}, "–")),
    h("td.num", {},
      h(missing ? "span.gap" : "span", { title: missing ? "Ranks with lines, of all ranks" : null },
        missing ? `${count(job.ranksSeen)} of ${count(job.nranks)}` : job.nranks ? count(job.nranks) : "–"),
      job.nodes.length > 1 ? h("small", {}, plural(job.nodes.length, "node")) : null),
    h("td.num", {}, job.lostGpuSeconds === null ? h("span.muted", {}, "–") : gpuTime(job.lostGpuSeconds)),
    h("td.when", {}, job.until ? moment(job.until) : h("span.muted", {}, "–"), age(job)));
}

function rest(job) {
  const { critical, warning, info, cleared } = job.findings;
  const more = critical + warning + info - 1;
  const parts = [];
  if (more > 0) parts.push(`${more} more`);
  if (cleared) parts.push(`${cleared} over`);
  if (job.checks.fail) parts.push(`${job.checks.fail} of ${job.checks.pass + job.checks.fail + job.checks.unknown} checks fail`);
  return parts.length ? h("small", {}, parts.join(" · ")) : null;
}

function age(job) {
  if (!job.until || !goesOn(job.state)) return null;
  const s = seconds(job.until, Date.now());
  return s >= 0 && s < 86_400 ? h("small", {}, `${duration(s)} ago`) : null;
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
