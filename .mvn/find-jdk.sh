# shellcheck shell=sh
# Sourced by ../ringside and ../mvnw. find_jdk sets JAVA_HOME to a JDK 25 or newer, or says in one
# sentence what to install and returns 2. No JVM is started: a JDK names its version in `release`.

# Prints the major version of the JDK in $1, or 0 where there is none.
jdk_major() {
  if [ ! -x "$1/bin/javac" ] || [ ! -r "$1/release" ]; then
    echo 0
    return
  fi
  major=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  echo "${major:-0}"
}

# Prints the home of the `java` on PATH, symbolic links followed.
java_on_path() {
  java=$(command -v java) || return 0
  while [ -L "$java" ]; do
    target=$(readlink "$java")
    case $target in
      /*) java=$target ;;
      *) java=$(dirname "$java")/$target ;;
    esac
  done
  (cd "$(dirname "$java")/.." && pwd -P)
}

find_jdk() {
  if [ -n "${RINGSIDE_JAVA_HOME:-}" ]; then
    [ "$(jdk_major "$RINGSIDE_JAVA_HOME")" -ge 25 ] || {
      echo "ringside: RINGSIDE_JAVA_HOME=$RINGSIDE_JAVA_HOME is no JDK 25 or newer." >&2
      return 2
    }
    JAVA_HOME=$RINGSIDE_JAVA_HOME
    export JAVA_HOME
    return
  fi
  newer=
  for home in "${JAVA_HOME:-}" "$(java_on_path)" /usr/lib/jvm/* \
    "${SDKMAN_DIR:-${HOME:-}/.sdkman}"/candidates/java/* "${HOME:-}"/.jdks/* /opt/java/* /opt/jdk* \
    "$(/usr/libexec/java_home -v 25 2>/dev/null || true)" \
    /Library/Java/JavaVirtualMachines/*/Contents/Home /opt/homebrew/opt/openjdk*; do
    major=$(jdk_major "$home")
    if [ "$major" -eq 25 ]; then
      JAVA_HOME=$home
      export JAVA_HOME
      return
    fi
    [ "$major" -gt 25 ] && newer=${newer:-$home}
  done
  if [ -n "$newer" ]; then
    JAVA_HOME=$newer
    export JAVA_HOME
    return
  fi
  echo "ringside: no JDK 25 found; install one (Debian: apt-get install openjdk-25-jdk-headless or" \
    "temurin-25-jdk, macOS: brew install openjdk@25, SDKMAN: sdk install java 25-tem) or set JAVA_HOME." >&2
  return 2
}
