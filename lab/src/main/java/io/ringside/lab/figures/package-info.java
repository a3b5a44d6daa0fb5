/// What counted figures prove: intervals, and whether an aim is reached, missed or still open.
@NullMarked
package io.ringside.lab.figures;

import org.jspecify.annotations.NullMarked;
