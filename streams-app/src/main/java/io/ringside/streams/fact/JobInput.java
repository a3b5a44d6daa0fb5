package io.ringside.streams.fact;

/// One record on its way from a node to a job.
public sealed interface JobInput
    permits LogFacts,
        GpuFacts,
        TopologyFacts,
        NodeFacts,
        WitnessFacts,
        KernelFacts,
        GpuLinkFacts,
        NodeGpus {}
