// Findings as Markdown, to paste into an issue or a chat.

import { visible } from "./dom.js";
import { runbookLink } from "./links.js";
import { lateStepLeftOut, lateStepRows, lateStepTitle, noted, spanWords, told } from "./told.js";

const SIGNS = { critical: "✖", warning: "▲", info: "•", ok: "✓", unknown: "?" };

/** What Markdown or the HTML in it would take for its own. */
const escaped = (text) => visible(text).replace(/[\\\u0060*_[\]<>#|~!&]/g, (c) => (c === "<" ? "&lt;" : c === "&" ? "&amp;" : `\\${c}`));

const TICK = "\u0060";

/** Longer than any run of backticks inside. */
const fence = (text, least) => TICK.repeat(Math.max(least - 1, 0, ...(text.match(/\u0060+/g) ?? []).map((it) => it.length)) + 1);

function command(text) {
  const safe = visible(text);
  const ticks = fence(safe, 1);
  const space = safe.startsWith(TICK) || safe.endsWith(TICK) ? " " : "";
  return [ticks, safe, ticks].join(space);
}

/** Columns from the first rank's call to the last one's. */
const COLUMNS = 24;

function lateStep(step) {
  if (!step) return [];
  const end = Math.max(...step.calls.map((it) => it.seconds));
  const width = Math.max(...step.calls.map((it) => String(it.rank).length));
  const row = ({ call, says }) => {
    const at = end ? Math.round((COLUMNS * call.seconds) / end) : 0;
    return `rank ${String(call.rank).padStart(width)}  ${" ".repeat(at)}●${"─".repeat(COLUMNS - at)}  ${says}`;
  };
  const rows = lateStepRows(step).map(row);
  const text = lateStepLeftOut(step) ? [...rows, lateStepLeftOut(step)] : rows;
  return ["", `one step: ${escaped(lateStepTitle(step))} ${step.since}`, "", `${TICK.repeat(3)}text`, ...text, TICK.repeat(3)];
}

export function findingMarkdown(finding) {
  const lines = finding.evidence.map((it) => [noted(it), visible(it.text)].filter(Boolean).join("  "));
  const ticks = fence(lines.join("\n"), 3);
  const sources = [...new Set(finding.evidence.map((it) => [it.pod, it.node, it.part ?? it.file].filter(Boolean).join(", ")))];
  return [
    `#### ${SIGNS[finding.severity]} ${command(finding.kind)} ${finding.severity}${finding.state === "cleared" ? ", ended" : ""}`,
    "",
    escaped(finding.summary),
    "",
    ...told(finding).map(([name, words]) => `- ${name.toLowerCase()}: ${escaped(words)}`),
    `- time: ${spanWords(finding)}`,
    ...(finding.try ?? []).map((it) => `- try: ${command(it)}`),
    finding.runbook ? `- runbook: ${runbookLink(finding.runbook) ?? command(finding.runbook)}` : null,
    ...lateStep(finding.lateStep),
    "",
    `<details><summary>proof</summary>`,
    "",
    `${ticks}text`,
    ...lines,
    ticks,
    "",
    `from ${sources.map(escaped).join("; ")}`,
    "",
    "</details>",
    "",
  ].filter((line) => line !== null).join("\n");
}

/** A job with its findings, those of one run. */
export function jobMarkdown({ overview, run, findings }) {
  return [
    `### ${SIGNS[overview.verdict] ?? "?"} ${escaped(overview.job)}`,
    "",
    `**${escaped(overview.headline)}**`,
    "",
    escaped([overview.namespace, overview.cluster, run ? `start ${run.attempt}, run ${run.run}, ${run.state}` : overview.state].filter(Boolean).join(" · ")),
    "",
    ...findings.map((it) => findingMarkdown(it)),
    ...(run?.notJudged?.length ? ["Not judged:", "", ...run.notJudged.map((it) => `- ${escaped(it.what)}: ${escaped(it.because)}`), ""] : []),
    location.href,
    "",
  ].join("\n");
}
