/// The service's configuration: a YAML file of defaults, overridden by the user's file, overridden
/// by flags. Its records refuse impossible values; every error names the path of its key.
@NullMarked
package io.ringside.streams.config;

import org.jspecify.annotations.NullMarked;
