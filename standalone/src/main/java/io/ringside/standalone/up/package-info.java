/// `ringside up`: the whole pipeline live on one machine.
@NullMarked
package io.ringside.standalone.up;

import org.jspecify.annotations.NullMarked;
