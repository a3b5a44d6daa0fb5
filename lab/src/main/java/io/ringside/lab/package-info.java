/// What the findings are tested with: generated jobs, and the score of what is found in them. Part
/// of no image and no released jar.
@NullMarked
package io.ringside.lab;

import org.jspecify.annotations.NullMarked;
