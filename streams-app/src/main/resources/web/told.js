// What a finding says, in words alone: for its card and for Markdown.

import { count, duration, gpuTime, instant, ranges, seconds, some, visible } from "./dom.js";

/** What a finding says beside its sentence, as name and words. */
export const told = (finding) =>
  [
    ["Expected", finding.expected],
    ["Observed", finding.observed],
    ["Cause", finding.cause ? CAUSES[finding.cause] ?? finding.cause : ""],
    ["Cost", cost(finding)],
    ["Where", where(finding)],
  ].filter(([, words]) => words);

/** Causes that are told by a word, in a sentence; the report's are the same (FindingSection.java). */
const CAUSES = {
  "gpu-throttled": "its GPU is throttled",
  "gpu-contended": "another process uses its GPU",
  "gpu-clock": "its GPU runs at a lower clock than its peers",
  "host": "the host: its GPU idles while the others spin, so look at CPU, data loading, I/O",
  "data": "its data: batches that differ in length, packed documents or experts",
  "stage": "its place: it has the same place in each group of the job, and more to do there",
  "duty": "duties beside training that the first rank often has: logging, evaluation, checkpoints",
  "chance": "perhaps chance: such long waits are too few yet to tell",
  "unknown": "unknown: nothing that was recorded sets its GPU apart",
};

/** Of a line of proof: which line of the file it is, by which rank of which host, how long after another rank's. */
export const noted = (line) =>
  [
    line.line !== undefined ? `line ${count(line.line)}` : "",
    line.rank !== undefined ? `rank ${line.rank}` : "",
    line.host && line.host !== line.pod && line.host !== line.node ? visible(line.host) : "",
    line.after ? `+${duration(line.after.seconds)} after rank ${line.after.rank}` : "",
  ].filter(Boolean).join(" · ");

/** The same with the time, and the place in the file where nobody counted lines. */
export const note = (line) =>
  [
    noted(line),
    line.time ? instant(line.time) : "",
    line.line === undefined && line.offset >= 0 ? `at byte ${count(line.offset)} of the file` : "",
  ].filter(Boolean).flatMap((it, i) => (i ? [" · ", it] : [it]));

const PLAIN = /^[\w@%+=:,./-]+$/;
const PACKED = /\.(gz|zst|bz2)$/;

/** What shows lines of one file once more on their node; nothing for samples and packed files, in which bytes are not theirs. */
export function again(lines) {
  const { node, file, part } = lines[0];
  if (!node || part || !file?.startsWith("/") || PACKED.test(file) || lines.some((it) => !(it.offset >= 0))) return "";
  const path = PLAIN.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  const first = lines.map((it) => it.offset + 1);
  return first.length === 1
    ? `tail -c +${first} ${path} | head -n 1`
    : `for at in ${first.join(" ")}; do tail -c +$at ${path} | head -n 1; done`;
}

/** To the millisecond: nobody reads on. */
const said = (iso) => iso.replace(/(\.\d{3})\d+/, "$1");

/** When it held, as the lines have it. */
export const spanWords = ({ since, until }) => (since ? `${said(since)}${until ? ` to ${said(until)} (${duration(seconds(since, until))})` : " on"}` : "no time in the lines");

/** Which collective a straggler came late to; the report says the same (LateStepRows.java). */
export const lateStepTitle = (step) => `${step.operation ?? "a collective"} at`;

/** Each rank's call, with how long it waited or by how much it was late. */
export function lateStepRows({ calls }) {
  const end = Math.max(...calls.map((it) => it.seconds));
  const inTime = Math.max(0, ...calls.filter((it) => !it.late).map((it) => it.seconds));
  return calls.map((call) => ({
    call,
    says: call.late ? `◀ ${duration(call.seconds - inTime)} late` : `waits ${duration(end - call.seconds)}`,
  }));
}

export const lateStepLeftOut = ({ calls, ranks }) =>
  (calls.length < ranks ? `${calls.length} of ${count(ranks)} ranks: the first, the median, the last and the late` : "");

const WAITS = ["straggler", "barrier-wait", "late-start"];
const STEPS = ["step-regression", "transport-regression", "offload-missing"];

/** What is counted and compared; the report says the same (CostWords.java). */
function cost({ kind, cost: { gpuSeconds, slowdown } }) {
  const parts = [];
  if (gpuSeconds !== null) parts.push(`${gpuTime(gpuSeconds)} ${WAITS.includes(kind) ? "of waiting" : STEPS.includes(kind) ? "of longer steps" : kind === "hang" ? "of standing still" : "lost"}`);
  if (slowdown !== null) parts.push(slower(kind, slowdown.toFixed(1)));
  return parts.join("; ");
}

const slower = (kind, times) =>
  STEPS.includes(kind) ? `steps take ${times} times as long as before`
    : kind === "bandwidth-below-expected" ? `${times} times as much bandwidth is expected`
      : `meanwhile the job takes ${times} times as long as without it`;

const where = (finding) =>
  [
    finding.ranks.length ? `${finding.ranks.length === 1 ? "rank" : "ranks"} ${ranges(finding.ranks)}` : "",
    finding.pods.length ? some(finding.pods) : "",
    finding.nodes.length ? `on ${some(finding.nodes)}` : "",
    finding.gpus.length ? `GPU ${some(finding.gpus)}` : "",
  ].filter(Boolean).join(" · ");
