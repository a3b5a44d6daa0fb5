package io.ringside.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RingsideMainTest {
  private final CapturedConsole captured = new CapturedConsole();

  @TempDir Path folder;

  @Test
  void exitsWith2AndOneSentenceForAMissingPath() {
    assertThat(run("analyze", folder.resolve("gone").toString())).isEqualTo(2);
    assertThat(captured.err()).hasLineCount(1).contains("gone does not exist");
    assertThat(captured.out()).isEmpty();
  }

  @Test
  void exitsWith2AndOneSentenceForAnEmptyFolder() {
    assertThat(run("analyze", "--json", folder.toString())).isEqualTo(2);
    assertThat(captured.err()).hasLineCount(1).contains("is a folder without files");
    assertThat(captured.out()).isEmpty();
  }

  @Test
  void exitsWith2AndOneSentenceForABinaryFile() throws Exception {
    var core = Files.write(folder.resolve("core"), new byte[4096]);
    assertThat(run("analyze", core.toString())).isEqualTo(2);
    assertThat(captured.err()).hasLineCount(1).contains("binary data");
  }

  @Test
  void exitsWith2AndOneSentenceForBadArguments() {
    assertThat(run("analyze")).isEqualTo(2);
    assertThat(run("analyze", "--fail-on", "awful", folder.toString())).isEqualTo(2);
    assertThat(run("analyze", "--zone", "Mars/Olympus", folder.toString())).isEqualTo(2);
    assertThat(run("dance")).isEqualTo(2);
    assertThat(captured.err()).hasLineCount(4).doesNotContain("\tat ");
  }

  @Test
  void exitsWith2AndNamesTheKeyForExpectationsThatCannotBe() throws Exception {
    Files.writeString(folder.resolve("0.log"), "step 1\n");
    var wrong = Files.writeString(folder.resolve("e.yaml"), "thresholds: {hang: {silense: 1m}}");
    var log = folder.resolve("0.log").toString();

    assertThat(run("analyze", "--expectations", wrong.toString(), log)).isEqualTo(2);
    assertThat(captured.err())
        .hasLineCount(1)
        .contains("e.yaml: thresholds.hang.silense is not a known key, known here: silence");
    assertThat(run("demo", "--exit", "--expectations", wrong.toString())).isEqualTo(2);
    assertThat(run("up", "--expectations", folder.resolve("none.yaml").toString())).isEqualTo(2);
    assertThat(captured.err()).contains("none.yaml: there is no such file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "analyse | ringside: there is no command analyse; did you mean analyze? ringside --help tells more",
        "dance | ringside: there is no command dance; ringside --help tells more",
        "analyze --fromat json x"
            + " | ringside analyze: there is no option --fromat; did you mean --format?"
            + " ringside analyze --help tells more",
        "analyze --fromat=json x | ringside analyze: there is no option --fromat; did you mean --format?",
        "analyze --format jsn x | --format knows no jsn, only text, json, markdown, junit, sarif,"
            + " github; did you mean json?",
        "analyze --fail-on critcal x | did you mean critical?",
        "analyze --kind stragler x | no kind of finding is called stragler; did you mean straggler?",
        "analyze --zone Europe/Berln x | there is no time zone Europe/Berln;",
        "analyze --color=maybe x | --color knows no maybe, only auto, always, never",
        "analyze | ringside analyze: give [NODE=]PATH: files, archives and folders to read, - for"
            + " standard input; ringside analyze --help tells more",
        "demo --port 99999 | ringside: There is no port 99999; ports are 0 (any) to 65535.",
        "up --port -1 | ringside: There is no port -1; ports are 0 (any) to 65535.",
        "up --port x | ringside up: --port must be a whole number, was x; ringside up --help tells more",
        "up --port | ringside up: --port needs a value, PORT; ringside up --help tells more",
        "version please | ringside version: please is one argument too many",
      })
  void saysWhatWasWrongAndWhatWasMeant(String arguments, String sentence) {
    assertThat(run(arguments.split(" "))).isEqualTo(2);
    assertThat(captured.err()).hasLineCount(1).startsWith("ringside").contains(sentence);
    assertThat(captured.out()).isEmpty();
  }

  @Test
  void showsHowItIsUsedToWhoeverTypesNothing() {
    assertThat(run()).isEqualTo(2);
    assertThat(captured.err()).contains("analyze", "demo", "up").doesNotContain("Missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "--version", "-V"})
  void saysItsVersionAsTheBuildStatesIt(String argument) throws Exception {
    assertThat(run(argument)).isZero();
    var stated =
        Pattern.compile("(?m)^  <version>(.*)</version>$")
            .matcher(Files.readString(Path.of("..", "pom.xml")));
    assertThat(stated.find()).isTrue();
    assertThat(captured.out()).isEqualTo("ringside " + stated.group(1) + System.lineSeparator());
  }

  @Test
  void showsItsCommands() {
    assertThat(run("--help")).isZero();
    assertThat(captured.out()).contains("demo", "analyze", "up");
  }

  private int run(String... arguments) {
    return RingsideMain.execute(captured.console(), Map.of(), arguments);
  }
}
