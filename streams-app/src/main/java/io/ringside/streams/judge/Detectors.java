package io.ringside.streams.judge;

import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.advice.PlacementAdvice;
import io.ringside.streams.detect.bandwidth.BandwidthBelowExpected;
import io.ringside.streams.detect.bandwidth.SlowGroups;
import io.ringside.streams.detect.barrier.BarrierWait;
import io.ringside.streams.detect.drift.EnvironmentDrift;
import io.ringside.streams.detect.drift.VersionMismatch;
import io.ringside.streams.detect.error.NcclError;
import io.ringside.streams.detect.failure.JobFailed;
import io.ringside.streams.detect.fallback.EfaFallback;
import io.ringside.streams.detect.gdr.GdrDisagreement;
import io.ringside.streams.detect.gpu.DriverErrors;
import io.ringside.streams.detect.gpu.GpuHealth;
import io.ringside.streams.detect.gpu.SavedGpuFlags;
import io.ringside.streams.detect.gpu.WeakGpus;
import io.ringside.streams.detect.hang.Hang;
import io.ringside.streams.detect.latestart.LateStart;
import io.ringside.streams.detect.link.DeadLinks;
import io.ringside.streams.detect.link.LinkDegraded;
import io.ringside.streams.detect.link.NvlinkErrors;
import io.ringside.streams.detect.link.SavedNvlinkErrors;
import io.ringside.streams.detect.network.FlappingPorts;
import io.ringside.streams.detect.network.NetworkErrors;
import io.ringside.streams.detect.network.NetworkFallback;
import io.ringside.streams.detect.network.SavedPortErrors;
import io.ringside.streams.detect.nics.GdrMissing;
import io.ringside.streams.detect.nics.HcaShortfall;
import io.ringside.streams.detect.nics.MissingAdapters;
import io.ringside.streams.detect.nics.NicShortfall;
import io.ringside.streams.detect.offload.OffloadMissing;
import io.ringside.streams.detect.p2pread.P2pRead;
import io.ringside.streams.detect.placement.SplitPlacement;
import io.ringside.streams.detect.reading.UnparsedLines;
import io.ringside.streams.detect.regression.TransportRegression;
import io.ringside.streams.detect.shm.ShmFallback;
import io.ringside.streams.detect.socket.SocketTransport;
import io.ringside.streams.detect.step.StepRegression;
import io.ringside.streams.detect.straggler.Straggler;
import io.ringside.streams.detect.telemetry.SensorStalled;
import io.ringside.streams.detect.telemetry.TelemetryGap;
import io.ringside.streams.detect.timing.TimingUnreliable;
import java.util.List;

/// The list of all detectors; no other list exists.
public final class Detectors {
  /// All detectors, in the order in which findings of equal weight are shown.
  public static final List<Detector> ALL =
      List.of(
          new JobFailed(),
          new EfaFallback(),
          new NetworkFallback(),
          new SocketTransport(),
          new ShmFallback(),
          new P2pRead(),
          new SplitPlacement(),
          new PlacementAdvice(),
          new GdrMissing(),
          new GdrDisagreement(),
          new NicShortfall(),
          new MissingAdapters(),
          new HcaShortfall(),
          new LinkDegraded(),
          new NvlinkErrors(),
          new SavedNvlinkErrors(),
          new DeadLinks(),
          new NetworkErrors(),
          new SavedPortErrors(),
          new FlappingPorts(),
          new OffloadMissing(),
          new TransportRegression(),
          new VersionMismatch(),
          new EnvironmentDrift(),
          new NcclError(),
          new Hang(),
          new Straggler(),
          new BarrierWait(),
          new StepRegression(),
          new LateStart(),
          new GpuHealth(),
          new DriverErrors(),
          new SavedGpuFlags(),
          new WeakGpus(),
          new BandwidthBelowExpected(),
          new SlowGroups(),
          new SensorStalled(),
          new TelemetryGap(),
          new TimingUnreliable(),
          new UnparsedLines());

  private Detectors() {}
}
