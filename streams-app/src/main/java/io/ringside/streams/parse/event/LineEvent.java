package io.ringside.streams.parse.event;

/// A fact read from one log line. Events carry no state: the rank or communicator of an event is
/// known only after the join, from the [NcclHead] beside it and from the lines before it.
public sealed interface LineEvent
    permits NcclEvent,
        OfiEvent,
        TorchEvent,
        DeepSpeedEvent,
        TrainerEvent,
        MegatronEvent,
        LoopEvent,
        NcclTestsEvent,
        NvlinkEvent,
        RdmaEvent,
        FailureEvent,
        PodTeam,
        LineOrigin {}
