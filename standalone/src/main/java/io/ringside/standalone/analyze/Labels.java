package io.ringside.standalone.analyze;

import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the files do not say themselves.
///
/// @param cluster name of the cluster, may be empty
/// @param job overrides the job that file and pod names tell; empty to go by the names
/// @param zone in which nvidia-smi wrote its times
/// @param expectations file over the built-in expectations, null for none
record Labels(String cluster, String job, ZoneId zone, @Nullable Path expectations) {
  Labels {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(zone, "zone");
  }
}
