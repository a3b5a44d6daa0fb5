/// Hugging Face Trainer and accelerate: progress bars, metric dicts, the training block,
/// checkpoints. Shapes of transformers 4.57 and 5.18.
@NullMarked
package io.ringside.streams.parse.trainer;

import org.jspecify.annotations.NullMarked;
