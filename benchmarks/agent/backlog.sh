#!/bin/sh
# CPU per million lines, lines a second and peak memory on a backlog of 2 and 8 million lines, beside a bare client; reads the records
# back and compares them with the file. CORPUS=FILE takes 2 million lines from a file, RUNS (3) of each are made, BARE=0 leaves the client out, SHOW_LOG=1 shows what the agent wrote. About 3 minutes.
. "$(dirname "$0")/prepare"
benchmark backlog "${CORPUS:-}"
