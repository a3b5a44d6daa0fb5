/// What Kubernetes says of pods that ended. Each end becomes one line, which the service reads like
/// any other: a pod's state is never judged here.
@NullMarked
package io.ringside.shipper.source.kubernetes;

import org.jspecify.annotations.NullMarked;
