/// Several instances of the service as processes of their own, which can be killed.
@NullMarked
package io.ringside.standalone.fleet;

import org.jspecify.annotations.NullMarked;
