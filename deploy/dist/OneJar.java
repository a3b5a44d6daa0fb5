import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;

/// Puts the jars of a class path into one: `java OneJar.java OUT VERSION NATIVES JAR…`.
///
/// Of files of one name the first counts, as in a class path; services are those of all jars; each
/// jar's licences and notices stay under its name; classes too old for the JVM's cache are renewed;
/// signatures hold no more and go, as do native libraries whose path does not match NATIVES. The
/// time of every file is SOURCE_DATE_EPOCH, so that equal jars make equal bytes.
final class OneJar {
  private static final Pattern LICENCE = Pattern.compile("(META-INF/)?(LICENSE|NOTICE)[^/]*");
  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "META-INF/(MANIFEST\\.MF|INDEX\\.LIST|[^/]*\\.(SF|RSA|DSA|EC)|maven/.*)|(.*/)?module-info\\.class|.*/");
  private static final Pattern NATIVE = Pattern.compile(".*\\.(so|dll|jnilib|dylib|a)");

  private OneJar() {}

  public static void main(String[] arguments) throws IOException {
    var natives = Pattern.compile("(.*/)?(" + arguments[2] + ")");
    var files = new TreeMap<String, byte[]>();
    for (var jar : Arrays.asList(arguments).subList(3, arguments.length)) {
      add(Path.of(jar), natives, files);
    }
    OldClasses.renew(files);
    write(Path.of(arguments[0]), arguments[1], files);
  }

  private static void add(Path path, Pattern natives, TreeMap<String, byte[]> files)
      throws IOException {
    var own = path.getFileName().toString().replace(".jar", "");
    try (var jar = new JarFile(path.toFile())) {
      for (var entry : jar.stream().toList()) {
        var name = entry.getName();
        if (LEFT_OUT.matcher(name).matches()
            || NATIVE.matcher(name).matches() && !natives.matcher(name).matches()) {
          continue;
        }
        var bytes = jar.getInputStream(entry).readAllBytes();
        if (name.startsWith("META-INF/services/")) {
          files.merge(name, lines(bytes), OneJar::joined);
        } else if (LICENCE.matcher(name).matches()) {
          files.put("META-INF/licenses/" + own + "/" + name.replace("META-INF/", ""), bytes);
        } else {
          files.putIfAbsent(name, bytes);
        }
      }
    }
  }

  private static byte[] lines(byte[] text) {
    return new String(text, UTF_8).endsWith("\n") ? text : joined(text, "\n".getBytes(UTF_8));
  }

  private static byte[] joined(byte[] first, byte[] second) {
    var all = new ByteArrayOutputStream();
    all.writeBytes(first);
    all.writeBytes(second);
    return all.toByteArray();
  }

  private static void write(Path out, String version, TreeMap<String, byte[]> files)
      throws IOException {
    var epoch = Long.parseLong(System.getenv().getOrDefault("SOURCE_DATE_EPOCH", "1763683200"));
    var time = Instant.ofEpochSecond(epoch).atOffset(java.time.ZoneOffset.UTC).toLocalDateTime();
    var manifest = new Manifest();
    var main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, "io.ringside.Start");
    main.put(Attributes.Name.MULTI_RELEASE, "true");
    main.put(Attributes.Name.IMPLEMENTATION_TITLE, "ringside");
    main.put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    main.put(new Attributes.Name("Enable-Native-Access"), "ALL-UNNAMED");
    var text = new ByteArrayOutputStream();
    manifest.write(text);
    try (var jar = new JarOutputStream(Files.newOutputStream(out))) {
      write(jar, JarFile.MANIFEST_NAME, text.toByteArray(), time);
      for (var file : files.entrySet()) {
        write(jar, file.getKey(), file.getValue(), time);
      }
    }
  }

  private static void write(
      JarOutputStream jar, String name, byte[] bytes, java.time.LocalDateTime time)
      throws IOException {
    var entry = new ZipEntry(name);
    entry.setTimeLocal(time);
    jar.putNextEntry(entry);
    jar.write(bytes);
    jar.closeEntry();
  }
}
