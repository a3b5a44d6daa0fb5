package io.ringside.streams.job;

import io.ringside.schemas.event.Evidence;

/// How long a rank waited in PyTorch's store for the unique id of the communicator, which rank 0
/// hands out once all ranks are there.
public record StoreWait(double seconds, Evidence proof) {}
