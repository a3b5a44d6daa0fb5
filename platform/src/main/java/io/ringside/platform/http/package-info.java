/// The door that all programs have towards whoever asks them over HTTP: who may ask, what may be
/// asked, how long it may take. One place, so that a rule holds for all.
@NullMarked
package io.ringside.platform.http;

import org.jspecify.annotations.NullMarked;
