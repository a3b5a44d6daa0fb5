package io.ringside.streams.parse.event;

/// A fact read from one log line. Events carry no state: which rank or communicator an event
/// belongs to is known only after the join, by the [NcclHead] beside it and by the lines before it.
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
