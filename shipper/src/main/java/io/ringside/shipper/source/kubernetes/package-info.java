/// Reads from Kubernetes how pods ended. Each end becomes one line, which the service reads like
/// any other; pod states are not judged here.
@NullMarked
package io.ringside.shipper.source.kubernetes;

import org.jspecify.annotations.NullMarked;
