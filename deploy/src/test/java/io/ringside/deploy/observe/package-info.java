/// Dashboards, alert rules and runbooks: as files, and on a real Prometheus that scrapes a real
/// run.
package io.ringside.deploy.observe;
