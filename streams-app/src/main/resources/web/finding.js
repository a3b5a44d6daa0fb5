// One finding with what to do about it and its proof.

import { badge, copyButton, h, instant, moment, plural, stretch, visible } from "./dom.js";
import { marked } from "./keywords.js";
import { runbookLink } from "./links.js";
import { findingMarkdown } from "./markdown.js";
import { term } from "./terms.js";
import { again, lateStepLeftOut, lateStepRows, lateStepTitle, note, told } from "./told.js";

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
      h("span.kind", {}, term(finding.kind)),
      cleared ? h("span.state", {}, term("ended finding", "ended")) : null,
      h("span.span", {}, span(finding))),
    h("h3.sentence", { id: `summary-${finding.id}` }, visible(finding.summary)),
    facts(finding),
    proof(finding, open),
    effects.length
      ? h("section.effects", { "aria-label": "What it explains" },
        h("h4", {}, "Explains"),
        effects.map((it) => effect(it)))
      : null,
    copyButton("Copy as Markdown", () => [finding, ...effects].map((it) => findingMarkdown(it)).join("\n"), `copy-${finding.id}`));
}

function effect(finding) {
  return h(`details.effect.${finding.state === "cleared" ? "cleared" : finding.severity}`, { "data-key": `effect-${finding.id}`, id: `finding-${finding.id}`, tabindex: "-1" },
    h("summary", { id: `effect-${finding.id}` }, badge(finding.severity), h("span.kind", {}, term(finding.kind)), h("span.sentence", {}, visible(finding.summary))),
    facts(finding),
    proof(finding, true));
}

const facts = (finding) =>
  h("dl.facts", {},
    told(finding).map(([name, words]) => fact(term(name.toLowerCase(), name), visible(words))),
    witnesses(finding),
    steps(finding),
    lateStep(finding.lateStep));

/** Where several speak: what each says, and whether they agree. */
function witnesses(finding) {
  const said = finding.witnesses ?? [];
  if (said.length < 2) return null;
  const verdict = finding.agree === undefined ? [] : [h("span.muted", {}, finding.agree ? "they agree" : "they do not agree")];
  return fact(term("witness", "Witnesses"), h("ul.witnesses", {}, said.map((it) => h("li", {}, `${it.name}: `, visible(it.says)))), verdict);
}

/** What to run next, and where it is written what to do. */
const steps = (finding) => [
  finding.try?.length ? fact(term("try", "Try"), h("ul.commands", {}, finding.try.map((it, i) =>
    h("li", {}, h("code", { dir: "ltr" }, visible(it)), copyButton("Copy", () => it, `try-${finding.id}-${i}`))))) : null,
  finding.runbook ? fact(term("runbook", "Runbook"), runbook(finding)) : null,
];

/** A row a rank: a mark where it came, a line as long as it waited. */
function lateStep(step) {
  if (!step) return null;
  const end = Math.max(...step.calls.map((it) => it.seconds));
  return fact(term("one step", "One step"), h("div.late-step", {},
    h("p", {}, `${visible(lateStepTitle(step))} `, instant(step.since)),
    h("ul", {}, lateStepRows(step).map(({ call, says }) => h(`li${call.late ? ".late" : ""}`, {},
      h("span", {}, `rank ${call.rank}`),
      h("span.track", { "aria-hidden": "true" }, h("i.gap", { width: `${end ? (100 * call.seconds) / end : 0}%` }), h("i.came"), h("i.stays")),
      h("span", {}, says)))),
    lateStepLeftOut(step) ? h("p.muted", {}, lateStepLeftOut(step)) : null));
}

function runbook(finding) {
  const link = runbookLink(finding.runbook);
  const name = finding.runbook.split("/").at(-1).replace(/\.md$/, "");
  return link ? h("a", { id: `runbook-${finding.id}`, href: link, rel: "noopener noreferrer" }, visible(name)) : h("code", {}, visible(finding.runbook));
}

const fact = (name, ...value) => [h("dt", {}, name), h("dd", {}, ...value)];

function span({ since, until }) {
  if (!since) return h("span.muted", {}, "no time in the lines");
  return until ? stretch(since, until) : h("span", {}, "since ", moment(since));
}

function proof(finding, open) {
  const n = finding.evidence.length;
  return h("details.proof", { "data-key": `proof-${finding.id}`, open },
    h("summary", { id: `proof-${finding.id}` }, `Proof: ${plural(n, "line")}`),
    bySource(finding.evidence).map((lines, i) => source(lines, `${finding.id}-${i}`)));
}

/** Lines that follow each other in one file, together. */
function bySource(lines) {
  const groups = [];
  for (const line of lines) {
    const last = groups.at(-1)?.at(-1);
    if (last && ["file", "part", "pod", "node"].every((key) => last[key] === line[key])) groups.at(-1).push(line);
    else groups.push([line]);
  }
  return groups;
}

/** Raw lines, and under them where to find them again. */
export function source(lines, id) {
  const command = again(lines);
  const { pod, node, file, part } = lines[0];
  return h("div.source", {},
    h("ol", {}, lines.map((line) => h("li.line", {}, h("code", { dir: "ltr" }, marked(line.text)), h("small", {}, note(line))))),
    h("p.path", {}, visible([pod, node, part ?? file].filter(Boolean).join(" · "))),
    command
      ? h("div.again", {}, h("small", {}, `On ${visible(node)}, until the file is rotated:`),
        h("ul.commands", {}, h("li", {}, h("code", { dir: "ltr" }, visible(command)), copyButton("Copy", () => command, `again-${id}`))))
      : null);
}
