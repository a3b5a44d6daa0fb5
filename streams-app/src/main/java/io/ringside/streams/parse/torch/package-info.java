/// PyTorch: watchdog time-outs, dump signals, desync reports, torchrun and its failure table.
/// Shapes of torch 2.0 to 2.14.1; what is printed per rank and what per group differs by version.
@NullMarked
package io.ringside.streams.parse.torch;

import org.jspecify.annotations.NullMarked;
