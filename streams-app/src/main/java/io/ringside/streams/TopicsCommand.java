package io.ringside.streams;

import io.ringside.platform.config.InvalidConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/// `ringside-streams topics`: creates or checks the topics and exits.
@Command(
    name = "topics",
    mixinStandardHelpOptions = true,
    description = {
      "Creates Ringside's topics where they are missing, or compares those that are there with what",
      "Ringside wants: partitions, replicas, retention, compaction, compression, largest message.",
    },
    footer = {"", "Exit: 0 all is well, 1 something is not, 2 the configuration cannot be used."})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class TopicsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private StreamsAppMain main;

  @ArgGroup(multiplicity = "1")
  private Action action;

  /// The action that the user chose.
  static final class Action {
    @Option(names = "--create", description = "Create what is missing, then check.")
    private boolean create;

    @SuppressWarnings("UnusedVariable") // the check runs whether the flag is given or not
    @Option(names = "--check", description = "Change nothing; name each difference on a line.")
    private boolean check;
  }

  @Override
  public Integer call() {
    try {
      var config = main.config();
      var admin = StreamsSettings.ofAdmin(config);
      if (action.create) {
        TopicCreation.ensure(admin, config.topics());
      }
      var faults = TopicCheck.faults(admin, config.topics());
      faults.forEach(spec.commandLine().getOut()::println);
      if (faults.isEmpty()) {
        spec.commandLine().getOut().println("all topics match");
      }
      return faults.isEmpty() ? 0 : 1;
    } catch (InvalidConfig | StartFailed e) {
      spec.commandLine().getErr().println(e.getMessage());
      return e instanceof InvalidConfig ? 2 : 1;
    }
  }
}
