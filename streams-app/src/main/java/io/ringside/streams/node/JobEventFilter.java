package io.ringside.streams.node;

import io.ringside.streams.parse.event.DeepSpeedEvent;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.LineEvent;
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
import io.ringside.streams.parse.trainer.TrainerNames;

/// Selects, from the events of lines, what the job's side of the join uses.
final class JobEventFilter {
  private JobEventFilter() {}

  /// The part of the event that the job's side uses.
  static LineEvent of(LineEvent event) {
    return event instanceof TrainerEvent.Metrics metrics ? TrainerNames.only(metrics) : event;
  }

  /// Whether the job's side uses the event.
  static boolean matters(LineEvent event) {
    return switch (event) {
      case NcclEvent e ->
          switch (e) {
            case NcclEvent.Version _,
                NcclEvent.EnvironmentSet _,
                NcclEvent.Declared _,
                NcclEvent.InterfaceChosen _,
                NcclEvent.NetPluginLoaded _,
                NcclEvent.NetPluginMissing _,
                NcclEvent.NetPluginInitialised _,
                NcclEvent.NetPluginFailed _,
                NcclEvent.NetDevices _,
                NcclEvent.IbPort _,
                NcclEvent.NetworkChosen _,
                NcclEvent.NoIbDevice _,
                NcclEvent.GdrSupport _,
                NcclEvent.NvlsSupport _,
                NcclEvent.GraphPattern _,
                NcclEvent.GpuPaths _,
                NcclEvent.TopologyBranch _,
                NcclEvent.CommInit _,
                NcclEvent.CommNodes _,
                NcclEvent.BootstrapTimings _,
                NcclEvent.Channels _,
                NcclEvent.Edge _,
                NcclEvent.RingsConnected _,
                NcclEvent.TreesConnected _,
                NcclEvent.P2pCheck _,
                NcclEvent.P2pUnavailable _,
                NcclEvent.ConnectRetry _,
                NcclEvent.CallFailed _,
                NcclEvent.Warning _ ->
                true;
            case NcclEvent.Collective _, NcclEvent.Posted _, NcclEvent.Spliced _ ->
                false; // counted where they are read
          };
      case OfiEvent e ->
          switch (e) {
            case OfiEvent.PluginVersion _,
                OfiEvent.LibfabricVersion _,
                OfiEvent.Platform _,
                OfiEvent.Provider _,
                OfiEvent.NoProvider _,
                OfiEvent.ProviderFilter _ ->
                true;
          };
      case TorchEvent e ->
          switch (e) {
            case TorchEvent.WatchdogTimeout _,
                TorchEvent.DumpSignal _,
                TorchEvent.WatchdogStuck _,
                TorchEvent.LaggingRanks _,
                TorchEvent.GroupOptions _,
                TorchEvent.ElasticRanks _,
                TorchEvent.ElasticRestart _,
                TorchEvent.UniqueIdWait _ ->
                true;
            case TorchEvent.TakenDown _,
                TorchEvent.NcclFailure _,
                TorchEvent.StoreLost _,
                TorchEvent.ElasticFailure _,
                TorchEvent.FailureField _ ->
                false;
            case TorchEvent.ElasticPhase phase ->
                switch (phase.phase()) {
                  case "finished", "rendezvous complete", "starting workers" -> true;
                  default -> false;
                };
          };
      case DeepSpeedEvent e ->
          switch (e) {
            case DeepSpeedEvent.WallClock _,
                DeepSpeedEvent.Throughput _,
                DeepSpeedEvent.Step _,
                DeepSpeedEvent.PipelineStep _,
                DeepSpeedEvent.SummaryTable _,
                DeepSpeedEvent.SummaryOp _,
                DeepSpeedEvent.SummaryRow _ ->
                true;
            case DeepSpeedEvent.LaunchedExit exit -> exit.code() == 0;
          };
      case TrainerEvent e ->
          switch (e) {
            case TrainerEvent.Metrics metrics -> TrainerNames.asked(metrics);
            case TrainerEvent.Setting setting -> TrainerNames.asked(setting);
            case TrainerEvent.Progress _, TrainerEvent.Completed _ -> true;
          };
      case MegatronEvent e ->
          switch (e) {
            case MegatronEvent.Iteration _,
                MegatronEvent.TensorParallel _,
                MegatronEvent.TensorGroups _ ->
                true;
            case MegatronEvent.TimersBegun _, MegatronEvent.Timer _, MegatronEvent.RankTime _ ->
                false;
          };
      case LoopEvent _ -> true;
      case NcclTestsEvent _, NvlinkEvent _, RdmaEvent _, PodTeam _ -> true;
      case LineOrigin _ -> false;
      case FailureEvent _ -> false; // turned into statements first, see FailureReading
    };
  }
}
