/// The door that both programs have towards whoever asks them over HTTP: who may ask, what may be asked, how long
/// it may take. One place, so that a rule holds for both.
@NullMarked
package io.ringside.schemas.http;

import org.jspecify.annotations.NullMarked;
