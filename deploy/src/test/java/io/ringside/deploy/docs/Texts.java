package io.ringside.deploy.docs;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import io.ringside.deploy.Repository;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import javax.tools.ToolProvider;
import tools.jackson.databind.JsonNode;

/// Every text of the sources that people read: of reports, the page, command lines, metrics, logs
/// and errors, by the file that says it. Texts are told from patterns and keys by what is done with
/// them, and by being words with spaces.
final class Texts {
  /// What reads lines holds their words, not ours; `docs/lines.md` lists those.
  private static final Pattern OTHERS =
      Pattern.compile(
          ".*/(parse/|simulate/(?!SimulateCommand|LoadConclusion)|source/log/line/|source/export/|source/gpu/Smi|mask/).*|.*/package-info\\.java");

  /// Two words at least.
  private static final Pattern SENTENCE =
      Pattern.compile(
          "(?s).*\\p{L}{2,}[^\\p{L}\\n]* \\W*\\p{L}{2,}.*|.*\\p{L}{4,}[^\\p{L}]* %.*|.*% .*\\p{L}{4,}.*");

  /// For programs: kinds of content, policies, fonts, formats of times, what is left of a script's
  /// own code.
  private static final Pattern CODE =
      Pattern.compile("(?s).*(charset=|'none'|sans-serif|yyyy|\\$\\{given|%level|prefers-color).*");

  private static final Pattern PATTERN =
      Pattern.compile("(?s).*(\\\\[dwsSWbQE.(\\[]|\\(\\?[<:]).*");

  /// Whose arguments are looked for, not shown.
  private static final Set<String> LOOKING =
      Set.of(
          "compile",
          "contains",
          "containsAny",
          "endsWith",
          "equals",
          "equalsIgnoreCase",
          "indexOf",
          "lastIndexOf",
          "matches",
          "remove",
          "replace",
          "replaceAll",
          "replaceFirst",
          "split",
          "startsWith",
          "get",
          "at",
          "addKeyValue");

  /// What people start, with what it says itself.
  private static final List<String> LAUNCHERS =
      List.of("ringside", "mvnw", "deploy/dist/assemble", "deploy/docker/replay");

  private static final Pattern SAYS =
      Pattern.compile("(?m)^.*\\b(?:echo|printf) .*?(?:\"((?:[^\"\\\\\n]|\\\\.)*)\"|'([^'\n]*)')");

  private static final Pattern HERE_DOCUMENT =
      Pattern.compile("(?ms)cat <<'?EOF'?\\n(.*?)\\n *EOF$");

  /// Said to whoever programs Ringside.
  private static final Set<String> INTERNAL =
      Set.of("AssertionError", "IllegalArgumentException", "IllegalStateException");

  private static final Set<String> SHOWN_ANNOTATIONS = Set.of("Command", "Option", "Parameters");

  private static final Pattern QUOTED =
      Pattern.compile(
          "\"((?:[^\"\\\\\\n]|\\\\.)*)\"|'((?:[^'\\\\\\n]|\\\\.)*)'|`((?:[^`\\\\]|\\\\.)*)`");

  /// Names of styles look like words; what is not known and what is not set are words.
  private static final String CLASSES = "(?!not )[a-z]+(-[a-z]+)*( [a-z]+(-[a-z]+)*){0,2} *…?";

  private Texts() {}

  /// The document.
  static String markdown() throws IOException {
    var byFile = new TreeMap<String, Set<String>>();
    for (var module :
        List.of("schemas", "platform", "shipper", "streams-app", "standalone", "lab")) {
      var folder = Repository.path(module + "/src/main");
      var sources =
          Repository.files(folder, ".java").stream()
              .filter(file -> !OTHERS.matcher(file.toString()).matches())
              .toList();
      java(sources).forEach((file, texts) -> byFile.put(name(module, file), texts));
      for (var script : Repository.files(folder, ".js")) {
        byFile.put(name(module, script), script(Repository.text(script)));
      }
    }
    byFile.put("deploy: prometheus/rules/ringside.yaml", alerts());
    for (var launcher : LAUNCHERS) {
      byFile.put("launcher: " + launcher, shell(Repository.text(Repository.path(launcher))));
    }
    return """
        # All texts

        Written from the code by `TextsTest`; do not edit. What people read of Ringside, by the file that says it, to be gone over in one
        go: reports, the page, command lines, errors, logs, metrics and alerts. `%s` and `…` stand for what differs.
        """
        + byFile.entrySet().stream()
            .filter(file -> !file.getValue().isEmpty())
            .map(
                file ->
                    "\n## %s\n\n%s\n"
                        .formatted(
                            file.getKey(),
                            file.getValue().stream()
                                .map(text -> "- " + code(text))
                                .collect(Collectors.joining("\n"))))
            .collect(Collectors.joining());
  }

  private static JsonNode rules() {
    return Repository.documents(Repository.path("deploy/prometheus/rules/ringside.yaml"))
        .getFirst();
  }

  /// What whoever is woken reads first.
  private static Set<String> alerts() {
    var texts = new LinkedHashSet<String>();
    for (var group : rules().path("groups")) {
      for (var rule : group.path("rules")) {
        for (var name : List.of("summary", "description", "try")) {
          var text = rule.path("annotations").path(name).asString("");
          if (!text.isEmpty()) {
            texts.add(text);
          }
        }
      }
    }
    return texts;
  }

  private static String name(String module, Path file) {
    var path = Repository.path(module).relativize(file).toString();
    return module
        + ": "
        + path.replaceFirst("src/main/(java/io/ringside/[^/]+|resources)/", "")
            .replace(".java", "");
  }

  /// A span of code that a backtick inside does not end.
  private static String code(String text) {
    var line = text.strip().replaceAll("\\s*\\n\\s*", " ");
    return line.contains("`") ? "`` " + line + " ``" : "`" + line + "`";
  }

  private static Map<Path, Set<String>> java(List<Path> files) throws IOException {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var texts = new TreeMap<Path, Set<String>>();
    try (var manager = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
      var task =
          (JavacTask)
              compiler.getTask(
                  null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
      for (CompilationUnitTree unit : task.parse()) {
        var found = new LinkedHashSet<String>();
        unit.accept(new Found(), found);
        texts.put(Path.of(unit.getSourceFile().toUri()), found);
      }
    }
    return texts;
  }

  private static Set<String> script(String source) {
    var texts = new LinkedHashSet<String>();
    var code =
        source.replaceAll("(?m)^\\s*//.*$|\\s//\\s.*$", "").replaceAll("(?s)/\\*.*?\\*/", "");
    QUOTED
        .matcher(code)
        .results()
        .map(
            quoted ->
                quoted.group(1) != null
                    ? quoted.group(1)
                    : quoted.group(2) != null ? quoted.group(2) : quoted.group(3))
        .map(text -> text.replaceAll("\\$\\{[^}]*(\\}|$)", "…"))
        .filter(Texts::isShown)
        .filter(text -> !text.matches(CLASSES))
        .forEach(texts::add);
    return texts;
  }

  private static Set<String> shell(String source) {
    var texts = new LinkedHashSet<String>();
    HERE_DOCUMENT
        .matcher(source)
        .results()
        .flatMap(document -> document.group(1).lines())
        .filter(line -> !line.isBlank())
        .forEach(texts::add);
    SAYS.matcher(source)
        .results()
        .map(said -> said.group(1) == null ? said.group(2) : said.group(1))
        .map(text -> text.replaceAll("\\\\(r|n|033\\[K)", ""))
        .map(text -> text.replaceAll("\\$\\([^)]*\\)|\\$\\{[^}]*}|\\$\\w+", "…"))
        .filter(Texts::isShown)
        .forEach(texts::add);
    return texts;
  }

  private static boolean isShown(String text) {
    return SENTENCE.matcher(text).matches()
        && !PATTERN.matcher(text).matches()
        && !CODE.matcher(text).matches();
  }

  /// The texts of a file in their order.
  private static final class Found extends TreeScanner<Void, Set<String>> {
    @Override
    public Void visitLiteral(LiteralTree literal, Set<String> texts) {
      if (literal.getValue() instanceof String text && isShown(text)) {
        texts.add(text);
      }
      return null;
    }

    @Override
    public Void visitBinary(BinaryTree sum, Set<String> texts) {
      if (sum.getKind() != Tree.Kind.PLUS) {
        return super.visitBinary(sum, texts);
      }
      var parts = new ArrayList<Tree>();
      parts(sum, parts);
      var joined = new StringBuilder();
      for (var part : parts) {
        if (part instanceof LiteralTree literal && literal.getValue() instanceof String text) {
          joined.append(text);
        } else {
          joined.append(joined.toString().endsWith("…") ? "" : "…");
          part.accept(this, texts);
        }
      }
      if (isShown(joined.toString())) {
        texts.add(joined.toString());
      }
      return null;
    }

    private static void parts(Tree tree, List<Tree> parts) {
      if (tree instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
        parts(sum.getLeftOperand(), parts);
        parts(sum.getRightOperand(), parts);
      } else {
        parts.add(tree);
      }
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, Set<String> texts) {
      if (call.getMethodSelect().toString().equals("rule")
          && call.getArguments().size() > 2
          && call.getArguments().get(2) instanceof LiteralTree) {
        return call.getArguments().get(1).accept(this, texts); // advice; what follows is looked for
      }
      if (!LOOKING.contains(name(call.getMethodSelect()))) {
        return super.visitMethodInvocation(call, texts);
      }
      return call.getMethodSelect().accept(this, texts);
    }

    /// A list of nothing but texts is what lines are searched for.
    @Override
    public Void visitVariable(VariableTree variable, Set<String> texts) {
      return variable.getModifiers().getFlags().contains(Modifier.STATIC)
              && variable.getInitializer() instanceof MethodInvocationTree made
              && made.getArguments().size() > 1
              && made.getArguments().stream().allMatch(LiteralTree.class::isInstance)
              && List.of("List<String>", "Set<String>").contains(variable.getType().toString())
          ? null
          : super.visitVariable(variable, texts);
    }

    @Override
    public Void visitNewClass(NewClassTree made, Set<String> texts) {
      return INTERNAL.contains(name(made.getIdentifier()))
          ? null
          : super.visitNewClass(made, texts);
    }

    @Override
    public Void visitAnnotation(AnnotationTree annotation, Set<String> texts) {
      return SHOWN_ANNOTATIONS.contains(name(annotation.getAnnotationType()))
          ? super.visitAnnotation(annotation, texts)
          : null;
    }

    private static String name(Tree tree) {
      return tree instanceof MemberSelectTree select
          ? select.getIdentifier().toString()
          : tree.toString();
    }
  }
}
