package io.ringside.streams.job;

import io.ringside.streams.fact.Fact;
import io.ringside.streams.fact.GpuFacts;
import io.ringside.streams.fact.GpuLinkFacts;
import io.ringside.streams.fact.JobInput;
import io.ringside.streams.fact.KernelFacts;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.fact.NodeFacts;
import io.ringside.streams.fact.NodeGpus;
import io.ringside.streams.fact.TopologyFacts;
import io.ringside.streams.fact.WitnessFacts;
import io.ringside.streams.parse.event.DeepSpeedEvent;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.LineOrigin;
import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.event.MegatronEvent;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclTestsEvent;
import io.ringside.streams.parse.event.NvlinkEvent;
import io.ringside.streams.parse.event.OfiEvent;
import io.ringside.streams.parse.event.PodTeam;
import io.ringside.streams.parse.event.RdmaEvent;
import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.event.TrainerEvent;
import io.ringside.streams.witness.Witness;

/// Separates records with news about a job from those that come each second while it goes on:
/// calls, steps, samples, measured times, reports of its nodes. Findings that only many of the
/// latter show together are not covered.
final class JobNews {
  private JobNews() {}

  static boolean in(JobInput input) {
    return switch (input) {
      case LogFacts facts ->
          facts.end()
              || facts.gaps() > 0
              || facts.said() != null
              || facts.facts().stream().anyMatch(JobNews::tells);
      case WitnessFacts facts -> facts.said().stream().anyMatch(JobNews::tells);
      case KernelFacts _, TopologyFacts _ -> true;
      case GpuFacts _, GpuLinkFacts _, NodeFacts _, NodeGpus _ -> false;
    };
  }

  private static boolean tells(Witness said) {
    return switch (said) {
      case Witness.Dumped _, Witness.Undumped _, Witness.RasSaid _ -> true;
      // each rank's times come every few seconds
      case Witness.Inspected _ -> false;
    };
  }

  private static boolean tells(Fact fact) {
    return switch (fact.event()) {
      case NcclEvent _, OfiEvent _, TorchEvent _, FailureEvent _ -> true;
      case DeepSpeedEvent _,
          TrainerEvent _,
          MegatronEvent _,
          LoopEvent _,
          NcclTestsEvent _,
          NvlinkEvent _,
          RdmaEvent _,
          PodTeam _,
          LineOrigin _ ->
          false;
    };
  }
}
