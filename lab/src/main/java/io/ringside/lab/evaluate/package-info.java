/// Scores the findings against jobs whose truth is known, generated and recorded: what is found,
/// what is missed, what is found wrongly, and how long it takes.
@NullMarked
package io.ringside.lab.evaluate;

import org.jspecify.annotations.NullMarked;
