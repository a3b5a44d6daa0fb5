/// The text of `nvidia-smi nvlink -e` and `-s`.
@NullMarked
package io.ringside.streams.parse.nvlink;

import org.jspecify.annotations.NullMarked;
