/// Reads from a pod's state, as the API server returns it, how the pod ended. Used by the watch of
/// a node's pods and by the reader of saved kubectl output.
@NullMarked
package io.ringside.shipper.source.pod;

import org.jspecify.annotations.NullMarked;
