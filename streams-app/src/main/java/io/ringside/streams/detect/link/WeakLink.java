package io.ringside.streams.detect.link;

import io.ringside.schemas.event.Evidence;
import java.util.List;
import java.util.Set;

/// A link of one machine that carries less than it should.
///
/// @param subject distinguishes it from other links of the machine
/// @param gpus PCI bus ids of its ends
record WeakLink(
    String subject,
    Set<String> gpus,
    String summary,
    String expected,
    String observed,
    String cause,
    String tryNow,
    List<Evidence> proofs) {}
