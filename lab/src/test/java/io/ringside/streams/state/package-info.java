/// How what one instance of the service wrote comes to another one in tests. Beside the stores, for
/// their bytes are not public.
@NullMarked
package io.ringside.streams.state;

import org.jspecify.annotations.NullMarked;
