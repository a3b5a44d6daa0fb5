package io.ringside.platform.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class UsageErrorTest {
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      textBlock =
          """
          --colour red   > program: there is no option --colour; did you mean --color? program --help tells more
          --port x       > program: --port must be a whole number, was x; program --help tells more
          more           > program: more is one argument too many; program --help tells more
          --port         > program: --port needs a value, PORT; program --help tells more
          --color red    > program: give one of --create, --check; program --help tells more
          """)
  void isOneSentence(String arguments, String sentence) {
    var group =
        ArgGroupSpec.builder()
            .multiplicity("1")
            .addArg(flag("--create"))
            .addArg(flag("--check"))
            .build();
    var program =
        CommandSpec.create()
            .name("program")
            .addOption(OptionSpec.builder("--color").type(String.class).build())
            .addOption(OptionSpec.builder("--port").paramLabel("PORT").type(int.class).build())
            .addArgGroup(group);

    int code =
        new CommandLine(program)
            .setErr(new PrintWriter(err, true))
            .setParameterExceptionHandler(UsageError::answer)
            .execute(arguments.split(" "));

    assertThat(code).isEqualTo(2);
    assertThat(err.toString().strip()).isEqualTo(sentence);
  }

  private static OptionSpec flag(String name) {
    return OptionSpec.builder(name).arity("0").type(boolean.class).build();
  }
}
