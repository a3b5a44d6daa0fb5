// What a finding says, in words alone: for its card and for Markdown.

import { duration, gpuTime, ranges, seconds, some } from "./dom.js";

/** What a finding says beside its sentence, as name and words. */
export const told = (finding) =>
  [
    ["Expected", finding.expected],
    ["Observed", finding.observed],
    ["Cause", finding.cause ? CAUSES[finding.cause] ?? finding.cause : ""],
    ["Cost", cost(finding.cost)],
    ["Where", where(finding)],
  ].filter(([, words]) => words);

/** Causes that are told by a word, in a sentence. */
const CAUSES = {
  "gpu-throttled": "its GPU is throttled",
  "gpu-contended": "another process uses its GPU",
  "gpu-clock": "its GPU runs at a lower clock than its peers",
  host: "the host: its GPU idles while the others spin, so look at CPU, data loading, I/O",
  unknown: "unknown: there are no GPU samples of that time, or they say nothing",
};

/** To the millisecond: nobody reads on. */
const said = (iso) => iso.replace(/(\.\d{3})\d+/, "$1");

/** When it held, as the lines have it. */
export const spanWords = ({ since, until }) => (since ? `${said(since)}${until ? ` to ${said(until)} (${duration(seconds(since, until))})` : " on"}` : "no time in the lines");

function cost({ gpuSeconds, slowdown }) {
  const parts = [];
  if (gpuSeconds !== null) parts.push(`${gpuTime(gpuSeconds)} lost`);
  if (slowdown !== null) parts.push(`${slowdown.toFixed(slowdown < 10 ? 1 : 0)} times slower`);
  return parts.join(", ");
}

const where = (finding) =>
  [
    finding.ranks.length ? `${finding.ranks.length === 1 ? "rank" : "ranks"} ${ranges(finding.ranks)}` : "",
    finding.pods.length ? some(finding.pods) : "",
    finding.nodes.length ? `on ${some(finding.nodes)}` : "",
    finding.gpus.length ? `GPU ${some(finding.gpus)}` : "",
  ].filter(Boolean).join(" · ");
