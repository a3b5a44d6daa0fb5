// The words of the page, each in one sentence: shown where a word stands, and all together on a page of their own.

import { h } from "./dom.js";

/** Words of training, of NCCL and of Ringside. */
const WORDS = {
  "rank": "One process of a training job, or one GPU of it; NCCL numbers them from 0.",
  "node": "A machine with GPUs, by the name that Kubernetes or the log's prefix gives it.",
  "pod": "The Kubernetes pod that a process runs in; NCCL takes its host name from it.",
  "run": "One start of a job, named by the id of its first and largest communicator; a restart is a new run.",
  "communicator": "NCCL's group of ranks that call collectives together.",
  "network": "What NCCL said that it uses between hosts. Every healthy job on one machine says Socket too: it counts only where data leaves the machine.",
  "ranks": "How many ranks the run has, and of how many lines were seen. What a rank without lines does is not judged.",
  "machine": "The instance type, as the agent or the log tells it; it says what to expect of network and links.",
  "NCCL": "NVIDIA's library for collectives between GPUs; its debug lines are what Ringside reads.",
  "OFI plugin": "The plugin that connects NCCL with libfabric, and so with EFA.",
  "libfabric": "The library below the plugin; its provider efa is Amazon's network, tcp and sockets are slow stand-ins.",
  "channels": "Rings and trees over which NCCL splits each call; more channels use more links at once.",
  "collective": "A call that all ranks make together, such as AllReduce; the last to come keeps the others waiting.",
  "round": "One collective as all ranks of a communicator called it: the n-th call of each.",
  "late round": "A round in which somebody waited for long: 10 ms and 2 % of a step at least.",
  "others waited": "How long all others waited for this rank alone, by the clock.",
  "it waited": "How long this rank waited for whoever came last.",
  "last in": "In how many late rounds this rank came last.",
  "step time": "How long one training step took, by the framework's own lines.",
  "cost": "What this finding's own lines show: seconds times the GPUs that waited, stood still or were slowed down. By how much sooner the run would have ended, all its GPUs counted, is on its bill.",
  "bill": "What each fault made the run take longer, so that the parts add up to the time that was lost; GPU-seconds are that time for all GPUs of the run.",
  "lost": "GPU-seconds on the bill: the time that faults added to the run, for all its GPUs.",
  "who talks to whom": "Which ranks or nodes send data to which, by the edges that NCCL printed.",
  "severity": "critical: act now; warning: it costs time; info: good to know.",
  "unknown": "The lines tell too little for a verdict. It does not mean that all is well.",
  "ended finding": "It was true once and is no longer; its cost stays.",
  "checklist": "What has to be right before a job is fast, each with the line that shows it; a question mark where no line tells.",
  "transport": "How data goes from one rank to another, in NCCL's words.",
  "P2P": "From GPU to GPU directly, over NVLink or PCIe: the fastest way within a machine.",
  "SHM": "Through the host's memory: slower than P2P within a machine.",
  "GDRDMA": "The network card reads GPU memory itself (GPUDirect RDMA), past the host's memory.",
  "NET/Socket": "TCP sockets: the slow way that NCCL takes where no RDMA network can be used.",
  "EFA": "Elastic Fabric Adapter, Amazon's RDMA network.",
  "intra-pod": "Between ranks of one pod.",
  "intra-node": "Between pods on one machine.",
  "inter-pod": "Between pods of which nobody told on which machines they run.",
  "inter-node": "Between machines.",
  "suspect": "A node that several runs blame within a day.",
  "witness": "Another source that speaks of the same: NCCL's RAS, a flight recorder, GPU power, a watchdog.",
  "expected": "What the machine, the job's own past or the other ranks let expect.",
  "observed": "What the lines say instead.",
  "cause": "What probably made it, by all that was recorded.",
  "one step": "One collective to which the straggler came late: when each rank came to it, by corrected clocks, and how long it waited.",
  "where": "Whom it is about: ranks, their pods, nodes and GPUs.",
  "try": "What to run next; in a pod through kubectl, with its names filled in.",
  "runbook": "The page that says what the finding means, how to check it and how to mend it.",
  "difference": "What this start has unlike another one: versions, variables, transports, step times.",
  "environment": "Variables of NCCL, libfabric and the like, as the log tells them.",
  "not judged": "What the lines tell too little of; a run without any of it is unknown, not healthy.",
  "goodput": "Share of the GPU-hours that went into productive training, of the runs whose faults all have a price.",
  "productive training": "GPU-hours of runs without a fault that costs time, and what faults left of the others.",
  "no price known": "Runs with a fault of which nobody knows by how much it slows a job down.",
  "machine's cost": "What the bills of its runs say; the nodes of one fault share its cost equally.",
  "proof": "Raw lines or samples that show what a finding claims: each with its file, its place in it, and the rank that wrote it.",
};

/** Columns of the table of GPUs. */
const GPUS = {
  "Power": "Power that the GPU draws: the median over the run.",
  "Clock": "Clock of the GPU's multiprocessors: the median over the run.",
  "Busy": "Share of the time in which the GPU was busy; one that waits for others inside NCCL is busy, too.",
  "Temperature": "Temperature of the GPU: the median over the run.",
};

/** Where a run stands. */
const STATES = {
  "starting": "It has neither a communicator nor a step yet.",
  "running": "Its ranks write lines.",
  "paused": "Nobody has written a line for longer than a usual step.",
  "silent": "Nobody has written a line for a minute or longer.",
  "ended": "Its communicators were destroyed, its launcher says that it is done, or its files are gone.",
  "failed": "It died; the finding job-failed tells of what.",
  "stopped": "Somebody or a time limit ended it.",
  "lost": "The agents of its nodes are not heard any more.",
  "superseded": "A newer start of the job runs.",
};

/** Rows of the checklist. */
const CHECKS = {
  "NCCL version": "Which NCCL the ranks run; it has to be one and the same.",
  "network plugin": "Whether the library that connects NCCL with the network loaded, where there is one.",
  "network in use": "What NCCL chose for data between hosts.",
  "interface chosen": "Over which network interface NCCL sets itself up; variables such as NCCL_SOCKET_IFNAME choose it.",
  "ranks initialised": "How many ranks of all finished their start, as far as their lines are here.",
  "rings and trees connected": "Whether NCCL linked its ranks to each other.",
  "transport within nodes": "How ranks of one machine talk: P2P is what linked GPUs should do.",
  "transport between nodes": "How machines talk: an RDMA network where they have one.",
  "GPUDirect RDMA": "Whether the network card reads GPU memory itself, past the host's memory.",
  "no NCCL WARN or ERROR": "Whether NCCL warned or failed, in a line that is not known to be harmless.",
  "GPUs healthy": "Whether nvidia-smi reports errors, lost GPUs or clocks held down by a fault.",
};

/** Kinds of findings. */
const KINDS = {
  "job-failed": "The run died; the first failure over all ranks, with what it was.",
  "efa-fallback": "EFA was wanted or expected, and NCCL took something slower.",
  "network-fallback": "InfiniBand, RoCE or another RDMA network was wanted, and NCCL took sockets.",
  "socket-transport": "Data between hosts goes over TCP sockets, and nothing says that a better network was expected.",
  "p2p-read": "GPUs read from each other instead of writing, which is slower where writing works.",
  "shm-fallback": "Ranks of one machine talk through host memory although their GPUs are linked.",
  "split-placement": "Ranks of one machine sit in different pods and talk over the network instead of directly.",
  "gdr-missing": "The network card does not reach GPU memory itself, where it could.",
  "gdr-disagreement": "A rank reaches the network with GPUDirect RDMA and NCCL reports none: some other rank lacks it.",
  "offload-missing": "NVLS, SHARP or CollNet was asked for and is not used.",
  "link-degraded": "An NVLink or PCIe link is down, has errors or less bandwidth than its peers'.",
  "network-errors": "A network card counts errors, drops or retransmits unlike its past and its peers.",
  "placement-advice": "A group of ranks that call often lies on several machines, though it would fit into one.",
  "nic-shortfall": "Fewer network cards were found than the machine has for these GPUs.",
  "transport-regression": "Data goes a worse way than in the job's last good run.",
  "nccl-error": "NCCL warned or failed, in a line that is not known to be harmless.",
  "version-mismatch": "Ranks of one job run different versions of NCCL, plugin or libfabric.",
  "env-drift": "A variable of NCCL or libfabric differs between ranks.",
  "straggler": "One rank comes last again and again, and the others wait for it.",
  "barrier-wait": "Much time goes by in waiting, and no single rank is to blame.",
  "late-start": "The others waited for one rank to initialise.",
  "hang": "The ranks stand still in the middle of training.",
  "step-regression": "Training steps take longer than this job's steps did before.",
  "gpu-throttled": "A GPU runs slower since heat, power or a fault holds its clocks down.",
  "gpu-error": "A GPU reports errors, or is gone.",
  "bandwidth-below-expected": "nccl-tests measured less than the machine should reach, or wrong results.",
  "sensor-stalled": "nvidia-smi hangs or gives no samples: GPUs are not seen.",
  "telemetry-gap": "Lines of a log were lost, or a source stopped.",
  "timing-unreliable": "Arrival times cannot be trusted, so waits are not judged from them.",
  "unparsed-lines": "Many NCCL lines are of a form that Ringside does not know.",
};

const ALL = { ...WORDS, ...GPUS, ...STATES, ...CHECKS, ...KINDS };

/** A word with its meaning at hand: by pointer, by touch, and on the page of words. */
export function term(word, shown = word) {
  const meaning = ALL[word];
  return meaning ? h("span.term", { "data-means": meaning }, shown) : h("span", {}, shown);
}

/** Lets the Tab key come to each word once; one inside a control is told when the control is reached. */
export function reachWords(root) {
  const met = new Set();
  for (const word of root.querySelectorAll(".term")) {
    if (met.has(word.dataset.means) || word.closest(CONTROLS)) continue;
    met.add(word.dataset.means);
    word.id = `word-${met.size}`;
    word.tabIndex = 0;
  }
}

const CONTROLS = "summary, button, a";

/** All words on one page. */
export function wordsPage() {
  document.title = "Words · Ringside";
  return [
    h("h1.page", {}, "Words", h("small", {}, "What the words on these pages mean. Underlined with dots they tell it themselves.")),
    glossary("Training, NCCL and Ringside", WORDS),
    glossary("GPUs", GPUS),
    glossary("States of a run", STATES),
    glossary("Checklist", CHECKS),
    glossary("Findings", KINDS),
  ];
}

const glossary = (title, words) =>
  h("section.block.card", {},
    h("h2", {}, title),
    h("dl.glossary", {}, Object.entries(words).map(([word, meaning]) => h("div", {}, h("dt", {}, word), h("dd", {}, meaning)))));

/** One bubble for all words: it follows the pointer's word or the focused one, and Escape closes it. */
export function explainWords() {
  const tip = h("div.tip", { id: "tip", role: "tooltip", hidden: true });
  document.body.append(tip);
  const hide = () => (tip.hidden = true);
  const show = (event) => {
    const control = event.type === "focusin" && event.target.matches?.(CONTROLS) ? event.target : null;
    const word = control?.querySelector(".term") ?? event.target.closest?.("[data-means]");
    if (!word) return event.target.closest?.(".tip") ? undefined : hide();
    tip.textContent = word.dataset.means;
    tip.hidden = false;
    if (word.tabIndex === 0) word.setAttribute("aria-describedby", tip.id);
    const at = word.getBoundingClientRect();
    const left = Math.min(at.left, window.innerWidth - tip.offsetWidth - 8);
    const below = at.bottom + 6 + tip.offsetHeight < window.innerHeight;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${below ? at.bottom + 6 : at.top - tip.offsetHeight - 6}px`;
  };
  document.addEventListener("pointerover", show);
  document.addEventListener("focusin", show);
  document.addEventListener("scroll", hide, { capture: true, passive: true });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
}
