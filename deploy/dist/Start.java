package io.ringside;

import java.lang.reflect.InvocationTargetException;

/**
 * Where the one jar starts, compiled for Java 8: an older Java than Ringside needs cannot read Ringside's own classes, and
 * would say so with a number that tells nobody which Java to take.
 */
public final class Start {
  private static final int NEEDED = 25;

  private Start() {}

  public static void main(String[] arguments) throws Throwable {
    String version = System.getProperty("java.specification.version");
    if (Double.parseDouble(version) < NEEDED) {
      System.err.println(
          "ringside: this jar needs Java "
              + NEEDED
              + ", and "
              + System.getProperty("java.home")
              + " is Java "
              + version
              + "; a release's tarball holds its own, and jbang --java "
              + NEEDED
              + " fetches one");
      System.exit(2);
    }
    try {
      Class.forName("io.ringside.standalone.RingsideMain")
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
