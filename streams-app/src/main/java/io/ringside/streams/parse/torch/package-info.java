/// PyTorch: watchdog time-outs, dump signals, desync reports, torchrun and its failure table.
/// Shapes of torch 2.0 to 2.14.1. Versions differ in what they print per rank and what per group.
@NullMarked
package io.ringside.streams.parse.torch;

import org.jspecify.annotations.NullMarked;
