/// Bytes looked at eight at a time, which every hot loop of agent and service does. Below
/// everything else: texts are made of it.
@NullMarked
package io.ringside.schemas.bytes;

import org.jspecify.annotations.NullMarked;
