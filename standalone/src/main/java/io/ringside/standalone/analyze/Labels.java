package io.ringside.standalone.analyze;

import java.time.ZoneId;
import java.util.Objects;

/// What the files do not say themselves.
///
/// @param cluster name of the cluster, may be empty
/// @param job overrides the job that file and pod names tell; empty to go by the names
/// @param zone in which nvidia-smi wrote its times
record Labels(String cluster, String job, ZoneId zone) {
  Labels {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(zone, "zone");
  }
}
