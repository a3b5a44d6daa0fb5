package io.ringside.streams.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each part of what is parsed is read by somebody: a number that nobody asks for costs parsing,
/// bytes on the wire and a reader's time.
class ComponentsTest {
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/")) // also of -Dquick
          .importPackages("io.ringside.streams");

  /// Tables of what lines look like: their versions and names are for the documentation.
  private static final String SCAN = "io.ringside.streams.parse.scan";

  @Test
  void everyPartOfWhatIsParsedIsRead() {
    var records =
        OURS.stream()
            .filter(JavaClass::isRecord)
            .filter(type -> type.getPackageName().startsWith("io.ringside.streams.parse."))
            .filter(type -> !type.getPackageName().equals(SCAN))
            .toList();

    assertThat(records).hasSizeGreaterThan(50);
    assertThat(records.stream().flatMap(ComponentsTest::unread)).isEmpty();
  }

  @Test
  void whatNobodyReadsIsFound() {
    var sample = new ClassFileImporter().importClasses(Sample.class, Reader.class);

    assertThat(unread(sample.get(Sample.class))).containsExactly("ComponentsTest$Sample.onlyBuilt");
  }

  private static Stream<String> unread(JavaClass record) {
    return record.getFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .filter(component -> !isRead(record, component))
        .map(component -> record.getName().replaceFirst(".*\\.", "") + "." + component.getName());
  }

  /// Whether the record's own methods use the component, or anybody its accessor. That it is
  /// compared and printed is no use of it. A record pattern counts for all components: javac has it
  /// call the accessors of those that it leaves out, too.
  private static boolean isRead(JavaClass record, JavaField component) {
    var accessor = record.getMethod(component.getName());
    return component.getAccessesToSelf().stream()
            .map(access -> access.getOrigin())
            .anyMatch(by -> !by.equals(accessor) && !by.isConstructor())
        || !accessor.getCallsOfSelf().isEmpty()
        || !accessor.getReferencesToSelf().isEmpty();
  }

  record Sample(int called, int referred, int own, int onlyBuilt) {
    int twice() {
      return 2 * own;
    }
  }

  static final class Reader {
    static int call(Sample sample) {
      return sample.called() + sample.twice();
    }

    static int refer(Stream<Sample> samples) {
      return samples.mapToInt(Sample::referred).sum();
    }
  }
}
