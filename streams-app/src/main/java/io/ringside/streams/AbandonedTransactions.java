package io.ringside.streams;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Aborts transactions that a killed instance left open, so that the instance that takes over can
/// read past them.
///
/// The broker itself aborts transactions older than `transaction.timeout.ms`, but it looks for them
/// only every ten seconds (`transaction.abort.timed.out.transaction.cleanup.interval.ms`, Kafka
/// 4.3), and a takeover would wait for that. This class looks every second while the stream
/// rebalances and for a while after, and aborts only what the broker would abort. Where it is not
/// allowed to, the broker still does it. Thread-safe.
public final class AbandonedTransactions implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(AbandonedTransactions.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /// Number of looks after a rebalance. They must outlast a transaction that was still young when
  /// its instance was given up.
  private static final int LOOKS = 10;

  private final Admin admin;
  private final Pattern own;
  private final Duration timeout;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("ringside-abandoned-transactions").factory());

  /// Number of looks still to come. Stream threads set it as well.
  private final AtomicInteger looks = new AtomicInteger();

  /// @param admin closed together with this object
  /// @param application the `application.id` that owns the transactions
  /// @param timeout `transaction.timeout.ms` of all its instances
  public AbandonedTransactions(Admin admin, String application, Duration timeout) {
    this.admin = admin;
    // <application.id>-<process id>-<thread>: Kafka Streams 4.3.1, StreamThread
    this.own = Pattern.compile(Pattern.quote(application) + "-[0-9a-f-]{36}-[0-9]+");
    this.timeout = timeout;
    clock.scheduleWithFixedDelay(
        this::look, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /// Says that an instance may just have been given up. Returns at once.
  public void expect() {
    looks.set(LOOKS);
  }

  private void look() {
    if (looks.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
      return;
    }
    try {
      var abandoned = abandoned();
      if (!abandoned.isEmpty()) {
        admin.fenceProducers(abandoned).all().get();
        LOGGER
            .atInfo()
            .addKeyValue("transactions", abandoned)
            .log("aborted transactions that an earlier instance left open");
      }
    } catch (ExecutionException | RuntimeException e) {
      // not permitted, or the broker is older than 3.8: the broker aborts them itself, later
      looks.set(0);
      LOGGER
          .atWarn()
          .addKeyValue("reason", e.getMessage())
          .log(
              "cannot abort transactions that an earlier instance left open, so a takeover waits until the broker does");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<String> abandoned() throws ExecutionException, InterruptedException {
    var overdue =
        new ListTransactionsOptions()
            .filterStates(Set.of(TransactionState.ONGOING))
            .filterOnDuration(timeout.toMillis());
    return admin.listTransactions(overdue).all().get().stream()
        .map(TransactionListing::transactionalId)
        .filter(id -> own.matcher(id).matches())
        .toList();
  }

  @Override
  public void close() {
    clock.shutdownNow();
    admin.close(Duration.ZERO);
  }
}
