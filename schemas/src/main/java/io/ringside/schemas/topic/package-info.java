/// Every topic of the project with its key, value and retention, named in one place and nowhere
/// else.
@NullMarked
package io.ringside.schemas.topic;

import org.jspecify.annotations.NullMarked;
