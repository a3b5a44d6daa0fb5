// One finding with its proof.

import { badge, duration, gpuTime, h, instant, moment, plural, ranges, seconds, some, visible } from "./dom.js";

/** Causes with their effects beneath; the proof of what matters most is open, the others' a keystroke away. */
export function findingCards(findings) {
  const known = new Set(findings.map((it) => it.id));
  const causes = (it) => [it.causedBy ?? []].flat().filter((id) => known.has(id) && id !== it.id);
  const roots = findings.filter((it) => !causes(it).length);
  return (roots.length ? roots : findings).map((it, i) =>
    findingCard(it, i === 0 && it.state === "active" && it.severity !== "info", roots.length ? findings.filter((other) => causes(other).includes(it.id)) : []));
}

export function findingCard(finding, open = false, effects = []) {
  const cleared = finding.state === "cleared";
  return h(`article.finding.${cleared ? "cleared" : finding.severity}`, { id: `finding-${finding.id}`, tabindex: "-1", "aria-labelledby": `summary-${finding.id}` },
    h("header", {},
      badge(finding.severity),
      h("span.kind", {}, finding.kind),
      cleared ? h("span.state", {}, "ended") : null,
      h("span.span", {}, span(finding))),
    h("h3.sentence", { id: `summary-${finding.id}` }, visible(finding.summary)),
    facts(finding),
    proof(finding, open),
    effects.length
      ? h("section.effects", { "aria-label": "What it explains" },
        h("h4", {}, "Explains"),
        effects.map((it) => effect(it)))
      : null);
}

function effect(finding) {
  return h(`details.effect.${finding.state === "cleared" ? "cleared" : finding.severity}`, { "data-key": `effect-${finding.id}`, id: `finding-${finding.id}`, tabindex: "-1" },
    h("summary", { id: `effect-${finding.id}` }, badge(finding.severity), h("span.kind", {}, finding.kind), h("span.sentence", {}, visible(finding.summary))),
    facts(finding),
    proof(finding, true));
}

const facts = (finding) =>
  h("dl.facts", {},
    fact("Expected", visible(finding.expected)),
    fact("Observed", visible(finding.observed)),
    finding.cause ? fact("Cause", CAUSES[finding.cause] ?? visible(finding.cause)) : null,
    cost(finding.cost),
    where(finding),
    witnesses(finding),
    steps(finding));

/** Where several speak: what each says, and whether they agree. */
function witnesses(finding) {
  const said = finding.witnesses ?? [];
  if (said.length < 2) return null;
  const verdict = finding.agree === undefined ? [] : [h("li.muted", {}, finding.agree ? "they agree" : "they do not agree")];
  return fact("Witnesses", h("ul.witnesses", {}, said.map((it) => h("li", {}, `${it.name}: `, visible(it.says))), verdict));
}

/** What to run next, and where it is written what to do. */
const steps = (finding) => [
  finding.try?.length ? fact("Try", h("ul.steps", {}, finding.try.map((it) => h("li", {}, h("code", { dir: "ltr" }, visible(it)))))) : null,
  finding.runbook ? fact("Runbook", visible(finding.runbook)) : null,
];

/** Causes that are told by a word, in a sentence. */
const CAUSES = {
  "gpu-throttled": "its GPU is throttled",
  "gpu-contended": "another process uses its GPU",
  "gpu-clock": "its GPU runs at a lower clock than its peers",
  host: "the host: its GPU idles while the others spin, so look at CPU, data loading, I/O",
  unknown: "unknown: there are no GPU samples of that time, or they say nothing",
};

const fact = (name, ...value) => [h("dt", {}, name), h("dd", {}, ...value)];

function span(finding) {
  if (!finding.since) return h("span.muted", {}, "no time in the lines");
  const parts = ["since ", moment(finding.since)];
  if (finding.until) parts.push(" until ", moment(finding.until), ` (${duration(seconds(finding.since, finding.until))})`);
  return h("span", {}, parts);
}

function cost({ gpuSeconds, slowdown }) {
  const parts = [];
  if (gpuSeconds !== null) parts.push(`${gpuTime(gpuSeconds)} lost`);
  if (slowdown !== null) parts.push(`${slowdown.toFixed(slowdown < 10 ? 1 : 0)} times slower`);
  return parts.length ? fact("Cost", parts.join(", ")) : null;
}

function where(finding) {
  const parts = [
    finding.ranks.length ? `${finding.ranks.length === 1 ? "rank" : "ranks"} ${ranges(finding.ranks)}` : "",
    finding.pods.length ? some(finding.pods) : "",
    finding.nodes.length ? `on ${some(finding.nodes)}` : "",
    finding.gpus.length ? `GPU ${some(finding.gpus)}` : "",
  ].filter(Boolean);
  return parts.length ? fact("Where", parts.join(" · ")) : null;
}

function proof(finding, open) {
  const n = finding.evidence.length;
  return h("details.proof", { "data-key": `proof-${finding.id}`, open },
    h("summary", { id: `proof-${finding.id}` }, `Proof: ${plural(n, "line")}`),
    h("ol", {}, finding.evidence.map((line) => evidence(line))));
}

/** A raw line, and under it where to find it again. */
export function evidence(line) {
  const at = line.offset >= 0 ? `${line.file} @ byte ${line.offset.toLocaleString("en")}` : line.file;
  return h("li.line", {},
    h("code", { dir: "ltr" }, visible(line.text)),
    h("small", {}, line.time ? [instant(line.time), " · "] : null, visible([line.pod, line.node, at].filter(Boolean).join(" · "))));
}
