package io.ringside.standalone.analyze;

import io.ringside.shipper.config.Identity;
import io.ringside.shipper.config.JobPattern;
import io.ringside.standalone.input.InputFile;
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

  /// Whose this log is: as the user says, as the logs say, or by its name.
  Identity identity(InputFile log) {
    return new Identity(
        cluster, log.node(), log.namespace(), job.isEmpty() ? log.job() : job, JobPattern.DEFAULTS);
  }
}
