package io.ringside.standalone.analyze;

import io.ringside.shipper.config.Identity;
import io.ringside.shipper.config.JobPattern;
import io.ringside.standalone.input.InputFile;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the user adds about the files.
///
/// @param cluster name of the cluster, may be empty
/// @param job overrides the job in file and pod names; empty to use the names
/// @param zone time zone of the times that nvidia-smi wrote
/// @param expectations file that overrides the built-in expectations, null for none
record Labels(String cluster, String job, ZoneId zone, @Nullable Path expectations) {
  Labels {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(zone, "zone");
  }

  /// The owner of this log: as the user says, as the logs say, or from its name.
  Identity identity(InputFile log) {
    return new Identity(
        cluster, log.node(), log.namespace(), job.isEmpty() ? log.job() : job, JobPattern.DEFAULTS);
  }
}
