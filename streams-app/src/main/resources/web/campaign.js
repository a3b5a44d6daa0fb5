// Where the fleet's GPU-hours went, and what cost most: what the ledger says of all runs of some days.

import { count, gpuTime, h, incomplete, plural, table, visible } from "./dom.js";
import { campaignLink } from "./links.js";
import { term } from "./terms.js";

const WINDOWS = [7, 30, 90];

export function campaignPage({ answer, view }) {
  const { campaign, missing } = answer;
  document.title = "Fleet · Ringside";
  return [
    h("h1.page", {}, "Fleet", h("small", {}, "Where the GPU-hours went, by the ledger of all runs.")),
    h("section.toolbar", { "aria-label": "Days" }, WINDOWS.map((days) =>
      h("a", { id: `days-${days}`, href: campaignLink(days), "aria-current": `${days}` === (view.days || "30") ? "true" : false }, `${days} days`))),
    incomplete(missing),
    campaign.runs
      ? [overview(campaign), machines(campaign.machines), trend(campaign), prices(campaign.prices)]
      : h("div.empty", {}, h("p.big", {}, "No run of these days is known.")),
    campaign.untimed ? h("p.muted", {}, `Left out: ${plural(campaign.untimed, "run")} whose lines tell no time or no rank.`) : null,
  ];
}

function overview(campaign) {
  const goodput = campaign.goodput;
  const rows = [row(term("productive training"), campaign.goodGpuSeconds, campaign.gpuSeconds, "")];
  campaign.causes.forEach((it) => rows.push(row(term(it.cause), it.gpuSeconds, campaign.gpuSeconds,
    [`in ${plural(it.runs, "run")}`, it.money === undefined ? "" : `${money(it.money)} at your price`].filter(Boolean).join(", "), "blamed")));
  campaign.unpriced.forEach((it) => rows.push(row([term(it.what, visible(it.what)), ", ", term("no price known")], it.gpuSeconds, campaign.gpuSeconds, `in ${plural(it.runs, "run")}`)));
  if (campaign.notJudged.runs) rows.push(row(term("not judged"), campaign.notJudged.gpuSeconds, campaign.gpuSeconds, `${plural(campaign.notJudged.runs, "run")} without waits or steps`));
  return h("section.block.card", { "aria-labelledby": "goodput" },
    h("h2", { id: "goodput" }, term("goodput", "Goodput"), goodput ? ` ${percent(goodput.share)}` : " is not known",
      h("small", {}, `${goodput ? `of ${gpuTime(goodput.gpuSeconds)} whose worth is known (${percent(goodput.low)} to ${percent(goodput.high)}) · ` : ""}${plural(campaign.runs, "run")} of ${plural(campaign.jobs, "job")}, ${gpuTime(campaign.gpuSeconds)}`)),
    h("table.waterfall", {}, h("caption.visually-hidden", {}, "Where the GPU-hours went"), h("tbody", {}, rows)),
    campaign.failed.runs ? h("p.muted", {}, `${plural(campaign.failed.runs, "run")} of ${gpuTime(campaign.failed.gpuSeconds)} failed; no line tells how much of their work was kept.`) : null);
}

function row(label, part, all, note, kind = "kept") {
  return h("tr", {},
    h("th", { scope: "row" }, label),
    h("td.bar", { "aria-hidden": "true" }, h(`i.${kind}`, { width: `${Math.min(100, (100 * part) / all)}%` })),
    h("td.num", {}, gpuTime(part)),
    h("td", {}, h("small", {}, visible(note))));
}

function machines(list) {
  if (!list.length) return null;
  return h("section.block", { "aria-labelledby": "machines" }, h("h2", { id: "machines" }, "Machines that cost most"),
    h("div.list-box", {}, table("table.list", "Machines that cost most", [{ name: term("node", "Machine") }, { name: term("machine's cost", "Cost"), num: true }, { name: term("run", "Runs"), num: true }, { name: "For" }],
      list.map((it) => h("tr", { role: "row" },
        h("th.name", { scope: "row", role: "rowheader" }, h("span", {}, visible(it.node)), h("small", {}, visible(it.cluster))),
        h("td.num", { role: "cell", "data-label": "cost" }, gpuTime(it.gpuSeconds)),
        h("td.num", { role: "cell", "data-label": "runs" }, count(it.runs)),
        h("td", { role: "cell", "data-label": "for" }, it.causes.map((cause, i) => [i ? ", " : "", term(cause)])))))));
}

function trend({ trend: periods }) {
  if (periods.length < 2) return null;
  const days = new Date(periods[1].since) - new Date(periods[0].since) < 2 * 86_400_000;
  return h("section.block.card", { "aria-labelledby": "trend" }, h("h2", { id: "trend" }, term("goodput", "Goodput"), days ? " by day" : " by week"),
    h("table.waterfall", {}, h("caption.visually-hidden", {}, "Goodput over time"), h("tbody", {}, periods.map((it) =>
      h("tr", {},
        h("th", { scope: "row" }, it.since.slice(0, 10)),
        h("td.bar", { "aria-hidden": "true" }, it.goodput ? h("i.kept", { width: `${100 * it.goodput.share}%` }) : null),
        h("td.num", {}, it.goodput ? percent(it.goodput.share) : "not known"),
        h("td", {}, h("small", {}, gpuTime(it.gpuSeconds))))))));
}

function prices(list) {
  if (!list.length) return null;
  return h("section.block", { "aria-labelledby": "prices" }, h("h2", { id: "prices" }, "What transports cost", h("small", {}, "by pairs of runs of one job that differ in nothing else")),
    h("ul.bill", {}, list.map((it) => h("li", {}, [term(it.kind), ` on ${it.machine}: ${it.ratio.toFixed(2)} times as long`],
      it.low === undefined ? "" : ` (${it.low.toFixed(2)} to ${it.high.toFixed(2)})`, `, ${plural(it.pairs, "pair")} of ${plural(it.jobs, "job")}`))));
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const money = (amount) => amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
