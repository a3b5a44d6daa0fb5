# shellcheck shell=sh
# Sourced by the launchers of a clone and of a tarball: how the JVM of a command is run.

# Options of every JVM: those of a run must be those of the run that made its cache. A JVM would speak of its
# cache on stdout: errors alone, on stderr.
common="-XX:+UseCompactObjectHeaders --sun-misc-unsafe-memory-access=allow -Xlog:disable -Xlog:all=error:stderr \
-Xlog:cds*=off:stderr -Xlog:aot*=off:stderr"

# The optimising compiler takes five processor seconds to get going: up to a gigabyte and a half is read sooner without
# it. What lives a moment has 32 or 64 MiB, whatever the machine has: a small log need not touch more. The quick compiler
# takes a third of a small log's time: there it compiles what is called eight times as often as usual.
analyze_options() {
  kilobytes=0
  for argument; do
    [ -e "$argument" ] || argument=${argument#*=}
    [ ! -e "$argument" ] || kilobytes=$((kilobytes + $(du -skH "$argument" 2>/dev/null | sed 's/[^0-9].*//' | tail -n 1) + 0))
  done
  [ "$kilobytes" -gt 32768 ] && sized=-Xmn64m || sized="-Xmn32m -XX:CompileThresholdScaling=8"
  [ "$kilobytes" -gt 1572864 ] && echo "-XX:+TieredCompilation $sized" || echo "-XX:TieredStopAtLevel=1 $sized"
}

# Sets `jit` and `gc` for a command and its arguments. Short commands are done before the optimising compiler pays:
# C1 alone halves their processor time. Nor does it pay there to make classes for what is called by reflection.
choose_options() {
  case ${1:-} in
    analyze) jit="$(analyze_options "$@") -Djdk.reflect.useNativeAccessorOnly=true" ;;
    up | simulate | evaluate) jit=-XX:+TieredCompilation ;;
    *) jit=-XX:TieredStopAtLevel=1 ;;
  esac
  # the JVM refuses two collectors
  case ${RINGSIDE_JAVA_OPTS:-} in
    *-XX:+Use*GC*) gc= ;;
    *) gc=-XX:+UseSerialGC ;;
  esac
}

# What a JVM cannot ask: which of its streams are terminals, and how wide those are; and in which locale names of files
# beyond ASCII can be opened.
export_terminal() {
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    *[Uu][Tt][Ff]*8*) ;;
    *)
      LC_ALL=C.UTF-8
      export LC_ALL
      ;;
  esac
  RINGSIDE_TERMINALS=
  [ ! -t 1 ] || RINGSIDE_TERMINALS=stdout
  [ ! -t 2 ] || RINGSIDE_TERMINALS="$RINGSIDE_TERMINALS stderr"
  [ ! -t 0 ] || RINGSIDE_TERMINALS="$RINGSIDE_TERMINALS stdin"
  export RINGSIDE_TERMINALS
  if [ -t 1 ] && [ -z "${COLUMNS:-}" ]; then
    COLUMNS=$(stty size </dev/tty 2>/dev/null | sed 's/.* //')
    case $COLUMNS in
      '' | 0 | *[!0-9]*) unset COLUMNS ;;
      *) export COLUMNS ;;
    esac
  fi
}
