package io.ringside.streams;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/// A question to the brokers, with the error messages for the case that no answer comes.
///
/// @param <T> the answer
@FunctionalInterface
interface AdminQuery<T> {
  T ask(Admin admin) throws ExecutionException, TimeoutException, InterruptedException;

  /// Asks the question with an admin client of its own.
  ///
  /// @param what subject of the question, for messages: `topics`
  /// @param done what is done with the subject, for messages: `described`
  /// @throws StartFailed if the broker does not answer or refuses
  static <T> T answer(
      Map<String, Object> adminSettings, String what, String done, AdminQuery<T> question) {
    try (var admin = Admin.create(adminSettings)) {
      return question.ask(admin);
    } catch (ExecutionException e) {
      throw new StartFailed("%s cannot be %s: %s".formatted(what, done, e.getCause()), e);
    } catch (TimeoutException e) {
      throw new StartFailed(
          "Kafka does not answer at " + adminSettings.get("bootstrap.servers"), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartFailed("interrupted while topics were " + done, e);
    }
  }
}
