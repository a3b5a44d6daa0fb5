// Addresses within the page. Names go in as they are told and come out encoded.

const query = (parts) => {
  const given = Object.entries(parts).filter(([, value]) => value);
  return given.length ? `?${given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}` : "";
};

/** What names a job: jobs of one name in two namespaces are two jobs. */
export const jobKey = ({ cluster, namespace, job }) => [cluster, namespace, job].join("/");

export const jobLink = ({ job, cluster, namespace }) => `#/job/${encodeURIComponent(job)}${query({ cluster, namespace })}`;

/** The job's page, opened at the proof of one finding. */
export const findingLink = ({ job, namespace, finding }, cluster) => `#/job/${encodeURIComponent(job)}${query({ cluster, namespace, finding })}`;

export const NODES = "#/nodes";

/** An address without namespace, as older versions made them, asks for the only job of that name. */
function narrowed(parameters) {
  const given = ["cluster", "namespace"].filter((name) => parameters.has(name));
  return given.length ? `?${given.map((name) => `${name}=${encodeURIComponent(parameters.get(name))}`).join("&")}` : "";
}

/** What the address asks for: which page, and where its data is. */
export function route(hash) {
  const [, job, asked] = hash.match(/^#\/job\/([^?]+)(\?.*)?$/) ?? [];
  if (job) {
    const parameters = new URLSearchParams(asked);
    return {
      page: "job",
      finding: parameters.get("finding"),
      paths: [`/api/jobs/${job}${narrowed(parameters)}`],
    };
  }
  return hash === NODES
    ? { page: "nodes", paths: ["/api/nodes"] }
    : { page: "fleet", paths: ["/api/jobs", "/api/findings?job=&state=active", "/api/nodes?suspect=true"] };
}
