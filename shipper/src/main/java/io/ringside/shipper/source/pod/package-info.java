/// What a pod's state, as the API server tells it, says of its end. Both who watches the pods of a
/// node and who reads what `kubectl` saved ask here.
@NullMarked
package io.ringside.shipper.source.pod;

import org.jspecify.annotations.NullMarked;
