/// Nanoseconds and bytes per line of the line parser, beside regular expressions doing a part of
/// the same task. `-p corpus=FILE` takes lines from a file, else they are made up in the same mix.
@NullMarked
package io.ringside.benchmarks.parse;

import org.jspecify.annotations.NullMarked;
