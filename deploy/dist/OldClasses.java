import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/// Gives classes that were compiled for Java 5 the frames of a later one:
/// `java OldClasses.java JAR` does so in place.
///
/// A JVM keeps no class in its cache that the verifier of old has to look at. picocli's are such,
/// and each start of a command read and verified 180 of them: a tenth of the time that a small log
/// takes. Nothing else of them changes.
final class OldClasses {
  /// Whose classes every command loads.
  private static final String RENEWED = "picocli/";

  /// The first version of which the JVM's cache keeps classes is 6.
  private static final int FIRST_KEPT = ClassFile.JAVA_6_VERSION;

  private OldClasses() {}

  public static void main(String[] arguments) throws IOException {
    var path = Path.of(arguments[0]);
    var times = new TreeMap<String, Long>();
    var files = new TreeMap<String, byte[]>();
    try (var jar = new JarFile(path.toFile())) {
      for (var entry : jar.stream().toList()) {
        times.put(entry.getName(), entry.getTime());
        files.put(entry.getName(), jar.getInputStream(entry).readAllBytes());
      }
    }
    if (renew(files) == 0) {
      return;
    }
    var bytes = new ByteArrayOutputStream();
    try (var out = new JarOutputStream(bytes)) {
      for (var file : files.entrySet()) {
        var entry = new ZipEntry(file.getKey());
        entry.setTime(times.get(file.getKey()));
        out.putNextEntry(entry);
        out.write(file.getValue());
      }
    }
    // whole or not at all
    var part = Path.of(path + ".part");
    Files.write(part, bytes.toByteArray());
    Files.move(part, path, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  /// Renews them among these files of a jar.
  ///
  /// @return how many there were
  static int renew(Map<String, byte[]> files) {
    var writer =
        ClassFile.of(
            ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(
                        type -> {
                          var bytes = files.get(type.descriptorString().substring(1).replace(";", ".class"));
                          return bytes == null ? null : new ByteArrayInputStream(bytes);
                        })
                    .orElse(ClassHierarchyResolver.defaultResolver())));
    var version =
        ClassTransform.ofStateful(
            () ->
                (type, element) -> {
                  if (element instanceof ClassFileVersion) {
                    type.withVersion(ClassFile.JAVA_8_VERSION, 0);
                  } else {
                    type.with(element);
                  }
                });
    var transform = version.andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL));
    int renewed = 0;
    for (var file : files.entrySet()) {
      var bytes = file.getValue();
      if (file.getKey().startsWith(RENEWED)
          && file.getKey().endsWith(".class")
          && ((bytes[6] & 255) << 8 | bytes[7] & 255) < FIRST_KEPT) {
        file.setValue(writer.transformClass(writer.parse(bytes), transform));
        renewed++;
      }
    }
    return renewed;
  }
}
