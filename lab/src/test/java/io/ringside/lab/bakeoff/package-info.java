/// The bake-off, which is Python.
@NullMarked
package io.ringside.lab.bakeoff;

import org.jspecify.annotations.NullMarked;
