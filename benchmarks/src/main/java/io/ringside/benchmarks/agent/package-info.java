/// What the agent costs and how fast it is, as a process of its own against a real broker: the
/// figures of docs/performance.md. The scripts beside this module (`agent/*.sh`) build what is
/// measured and start {@link io.ringside.benchmarks.agent.AgentBenchmark}.
@NullMarked
package io.ringside.benchmarks.agent;

import org.jspecify.annotations.NullMarked;
