/// The service's configuration: one YAML file of defaults, the user's file over it, flags over
/// both. Records that refuse impossible values; every error names the path of its key.
@NullMarked
package io.ringside.streams.config;

import org.jspecify.annotations.NullMarked;
