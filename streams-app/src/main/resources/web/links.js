// Addresses within the page. Names go in as they are told and come out encoded.

/** What is asked for behind an address: all of the first, of the others what is not empty. */
const query = (always, others) => {
  const parts = Object.entries({ ...Object.fromEntries(Object.entries(others).filter(([, value]) => value)), ...always });
  return parts.length ? `?${parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}` : "";
};

/** What names a job: jobs of one name in two namespaces are two jobs. */
export const jobKey = ({ cluster, namespace, job }) => [cluster, namespace, job].join("/");

export const jobLink = ({ job, cluster, namespace }) => "#/job/" + encodeURIComponent(job) + query({}, { cluster, namespace });

/** The job's page, opened at the proof of one finding. */
export const findingLink = ({ job, namespace, finding }, cluster) => "#/job/" + encodeURIComponent(job) + query({}, { cluster, namespace, finding });

export const NODES = "#/nodes";
export const WORDS = "#/words";
const CAMPAIGN = "#/campaign";

export const campaignLink = (days) => `${CAMPAIGN}?days=${days}`;

/** Which job of that name: an address without namespace, as older versions made them, asks for the only one; an empty one is one. */
const names = (parameters) =>
  Object.fromEntries(["cluster", "namespace"].filter((name) => parameters.has(name)).map((name) => [name, parameters.get(name)]));

/** What a reader chose on a page, by its name in the address: a filter can be sent to somebody. */
const CHOICES = {
  fleet: ["verdict", "search"],
  job: ["run", "starts", "against", "order", "from", "to", "ranks", "node"],
  nodes: ["search"],
  campaign: ["days"],
  words: [],
};

const JOB = /^#\/job\/([^?]+)/;

function pageOf(path) {
  if (JOB.test(path)) return "job";
  return { [NODES]: "nodes", [WORDS]: "words", [CAMPAIGN]: "campaign" }[path] ?? "fleet";
}

function split(hash) {
  const [path, asked] = hash.split(/\?(.*)/s);
  return { path, parameters: new URLSearchParams(asked) };
}

/** What the address asks for: which page, where its data is, and what the reader chose there. */
export function route(hash) {
  const { path, parameters } = split(hash);
  const page = pageOf(path);
  const view = Object.fromEntries(CHOICES[page].map((name) => [name, parameters.get(name) ?? ""]));
  switch (page) {
    case "job":
      return { page, view, finding: parameters.get("finding"), paths: [`/api/jobs/${path.match(JOB)[1]}${query(names(parameters), {})}`] };
    case "nodes":
      return { page, view, paths: ["/api/nodes"] };
    case "campaign":
      return { page, view, paths: [`/api/campaign?since=${encodeURIComponent(view.days || 30)}d`] };
    case "words":
      return { page, view, paths: [] };
    default:
      return { page, view, paths: ["/api/jobs", "/api/findings?job=&state=active", "/api/nodes?suspect=true"] };
  }
}

/** The same page with other choices. A finding that the address opened is opened no more once the reader chose. */
export function choosing(hash, view) {
  const { path, parameters } = split(hash || "#/");
  return `${path}${query(names(parameters), Object.fromEntries(CHOICES[pageOf(path)].map((name) => [name, view[name]])))}`;
}

/** Where the installation keeps what is not on this page; empty where nobody said. */
export const installation = { runbooks: "" };

/** The runbook's address, or null where only its place in the repository is known. */
export const runbookLink = (path) =>
  /^https?:\/\//.test(installation.runbooks) ? `${installation.runbooks}/${encodeURIComponent(path.split("/").at(-1))}` : null;
