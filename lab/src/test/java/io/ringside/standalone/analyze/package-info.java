/// Tests of analyze that need generated jobs. They see what the package hides.
@NullMarked
package io.ringside.standalone.analyze;

import org.jspecify.annotations.NullMarked;
