// Addresses within the page. Names go in as they are told and come out encoded.

const query = (parts) => {
  const given = Object.entries(parts).filter(([, value]) => value);
  return given.length ? `?${given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}` : "";
};

export const jobLink = ({ job, cluster }) => `#/job/${encodeURIComponent(job)}${query({ cluster })}`;

/** The job's page, opened at the proof of one finding. */
export const findingLink = ({ job, finding }, cluster) => `#/job/${encodeURIComponent(job)}${query({ cluster, finding })}`;

export const NODES = "#/nodes";

/** What the address asks for: which page, and where its data is. */
export function route(hash) {
  const [, job, asked] = hash.match(/^#\/job\/([^?]+)(\?.*)?$/) ?? [];
  if (job) {
    const parameters = new URLSearchParams(asked);
    const cluster = parameters.get("cluster");
    return {
      page: "job",
      finding: parameters.get("finding"),
      paths: [`/api/jobs/${job}${cluster === null ? "" : `?cluster=${encodeURIComponent(cluster)}`}`],
    };
  }
  return hash === NODES
    ? { page: "nodes", paths: ["/api/nodes"] }
    : { page: "fleet", paths: ["/api/jobs", "/api/findings?job=&state=active", "/api/nodes?suspect=true"] };
}
