// The runs of a job side by side: how each went, what was new in it, what it cost.

import { count, duration, gpuTime, h, icon, moment, plural, seconds, standing, visible } from "./dom.js";
import { differences } from "./difference.js";

const SHOWN = 6;
const CHANGES = 3;
const SEVERITIES = ["critical", "warning", "info"];

/** What a run may die of, the plainest first. */
const DEATHS = ["job-failed", "hang", "nccl-error"];

/** Newest first, each a button that shows the run. */
export function historyBlock(runs, findings, current, view, change) {
  if (runs.length < 2) return null;
  const costs = new Map(runs.map((run) => [run, cost(run)]));
  const most = Math.max(1e-9, ...costs.values());
  const all = view.starts === "all" || runs.indexOf(current) >= SHOWN;
  const shown = all ? runs : runs.slice(0, SHOWN);
  return h("section.block", { "aria-labelledby": "history" },
    h("h2", { id: "history" }, "Starts of this job", h("small", {}, "newest first: how each went, what was new, what it cost")),
    h("ol.history", {}, shown.map((run) => h("li", {}, card(run, runs[runs.indexOf(run) + 1], findings, costs.get(run), most, run === current, change)))),
    shown.length < runs.length
      ? h("button.quiet", { id: "all-runs", type: "button", onclick: () => change({ starts: "all" }) }, `Show ${plural(runs.length - shown.length, "older start")}`)
      : null);
}

function card(run, before, findings, lost, most, pressed, change) {
  const verdict = verdictOf(run, findings);
  return h(`button.run.${verdict}`, {
    id: `run-${run.run}`,
    type: "button",
    "aria-pressed": String(pressed),
    onclick: () => change({ run: run.run }),
  },
  h("span.run-head", {}, icon(verdict), h("strong", {}, `Start ${run.attempt}`), h("span", {}, `${verdict}, ${standing(run)}`)),
  h("small", {}, run.since ? [moment(run.since, "minute"), run.until && run.until !== run.since ? `, ${duration(seconds(run.since, run.until))}` : ""] : "no time in the lines"),
  h("span.run-cost", {}, lost ? [h("i", { "aria-hidden": "true", width: `${Math.max(2, (100 * lost) / most)}%` }), `${gpuTime(lost)} lost`] : h("span.muted", {}, lost === 0 && run.waits.basis ? "nothing on its bill" : "no cost known")),
  death(run, findings),
  before ? news(before, run) : h("small", {}, "the oldest known"));
}

/** What it died of, where a finding tells. */
function death(run, findings) {
  const mine = findings.filter((it) => it.run === run.run && it.severity === "critical");
  const told = DEATHS.map((kind) => mine.find((it) => it.kind === kind)).find(Boolean);
  return told ? h("small.death", {}, visible(told.summary)) : null;
}

/** What was new in it, in a few words. */
function news(before, run) {
  const changes = differences(before, run);
  if (!changes.length) return h("small", {}, "nothing new");
  return [
    changes.slice(0, CHANGES).map(([name, old, now, note]) => h("small.new", {}, h("b", {}, name), " ", note || `${said(old)} → ${said(now)}`)),
    changes.length > CHANGES ? h("small", {}, `and ${count(changes.length - CHANGES)} more`) : null,
  ];
}

const said = (value) => visible(String(value ?? "")) || "none";

/** The worst that its findings say; of one with nothing judged nothing is known. */
function verdictOf(run, findings) {
  const mine = findings.filter((it) => it.run === run.run).map((it) => it.severity);
  const worst = SEVERITIES.find((it) => mine.includes(it));
  return worst ?? (judged(run) ? "ok" : "unknown");
}

/** As the service has it: with neither transport nor waits nor steps judged, no finding does not mean that all is well. */
export function judged(run) {
  const missing = (run.notJudged ?? []).map((it) => it.what);
  const failed = (run.notJudged ?? []).some((it) => it.because === "internal error");
  return !failed && !["transport", "waits", "steps"].every((it) => missing.includes(it));
}

/** GPU-seconds on its bill; nothing is known where what was found has no price. */
const cost = ({ bill }) => (bill && !bill.items.length ? null : (bill?.items ?? []).reduce((all, it) => all + it.gpuSeconds, 0));
