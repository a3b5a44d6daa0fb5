/// The second half of the join, one job at a time: facts of all its nodes become runs, processes
/// and communicators, and collective calls go to the rounds of `waits`. Does not depend on Kafka;
/// each state belongs to one stream thread.
@NullMarked
package io.ringside.streams.job;

import org.jspecify.annotations.NullMarked;
