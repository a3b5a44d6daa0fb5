/// The contract with everybody who reads or writes the topics: schema, records and old samples
/// agree.
@NullMarked
package io.ringside.schemas.contract;

import org.jspecify.annotations.NullMarked;
