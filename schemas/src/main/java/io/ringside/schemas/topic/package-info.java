/// Defines every topic of the project with its key, value and retention.
@NullMarked
package io.ringside.schemas.topic;

import org.jspecify.annotations.NullMarked;
