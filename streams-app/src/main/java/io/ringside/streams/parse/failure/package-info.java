/// Processes that fail: tracebacks, signals, errors of the kernel and the drivers, and the reports
/// of launchers and schedulers. Shapes of CPython 3.8 to 3.13, Slurm 20 to 24, Open MPI 4 and 5,
/// MPICH, Linux and NVIDIA's driver.
@NullMarked
package io.ringside.streams.parse.failure;

import org.jspecify.annotations.NullMarked;
