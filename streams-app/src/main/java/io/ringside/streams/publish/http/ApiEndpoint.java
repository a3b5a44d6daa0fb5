package io.ringside.streams.publish.http;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.ledger.Comparison;
import io.ringside.streams.publish.Job;
import io.ringside.streams.publish.JobOverview;
import io.ringside.streams.publish.JobViews;
import io.ringside.streams.publish.Jobs;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The results as JSON. Every answer is an object, so that fields can be added.
///
/// @param shown adds what is known locally about a requested finding, such as lines of files on
///   this machine
public record ApiEndpoint(JobViews views, UnaryOperator<Finding> shown) implements Endpoint {
  public ApiEndpoint(JobViews views) {
    this(views, UnaryOperator.identity());
  }

  @Override
  public Optional<Response> answer(Request request) {
    var path = request.path();
    if (path.isEmpty() || !path.getFirst().equals("api")) {
      return Optional.empty();
    }
    return Optional.of(
        switch (path.size()) {
          case 2 ->
              switch (path.get(1)) {
                case "jobs" -> jobs(request);
                case "findings" -> findings(request);
                default -> throw unknown();
              };
          case 3 -> job(request, path);
          case 4 -> runs(request, path);
          default -> throw unknown();
        });
  }

  private Response jobs(Request request) {
    request.allowOnly(Set.of("cluster", "namespace", "limit", "cursor"));
    var cursor = PageCursor.of(request, Jobs.Place::read);
    var asked = Scope.of(request);
    var look = views.look();
    var matching = Jobs.of(look).all().stream().filter(job -> asked.matches(job.key())).toList();
    var page = cursor.of(matching, Jobs.Place::of, Jobs.Place::parts);
    return Response.json(
        200,
        new JobList(
            page.entries().stream().map(JobOverview::of).toList(),
            matching.size(),
            verdicts(matching),
            page.next(),
            look.missing()));
  }

  /// Numbers of jobs by verdict, over all pages.
  private static Verdicts verdicts(List<Job> jobs) {
    var by = jobs.stream().collect(Collectors.groupingBy(Job::verdict, Collectors.counting()));
    return new Verdicts(
        by.getOrDefault(Severity.CRITICAL.label(), 0L),
        by.getOrDefault(Severity.WARNING.label(), 0L),
        by.getOrDefault(Severity.INFO.label(), 0L),
        by.getOrDefault("ok", 0L),
        by.getOrDefault("unknown", 0L));
  }

  private Response job(Request request, List<String> path) {
    var job = find(request, path);
    return Response.json(
        200,
        new JobDetail(
            JobOverview.of(job), job.runs(), job.findings().stream().map(shown).toList()));
  }

  private Response runs(Request request, List<String> path) {
    if (!path.get(3).equals("runs")) {
      throw unknown();
    }
    var runs = find(request, path).runs();
    return Response.json(200, new RunList(runs, Comparison.each(runs.reversed()).reversed()));
  }

  private Response findings(Request request) {
    var filter = FindingFilter.of(request);
    var look = views.look();
    var matching =
        look.findings().stream()
            .filter(filter::matches)
            .sorted(Comparator.comparing(FindingFilter.Place::of))
            .toList();
    var page = filter.page().of(matching, FindingFilter.Place::of, FindingFilter.Place::parts);
    return Response.json(
        200,
        new FindingList(
            matching.size(),
            page.entries().stream().map(shown).toList(),
            page.next(),
            look.missing()));
  }

  private Job find(Request request, List<String> path) {
    request.allowOnly(Set.of("cluster", "namespace"));
    if (!path.get(1).equals("jobs")) {
      throw unknown();
    }
    var name = path.get(2);
    var asked = Scope.of(request);
    var look = views.look();
    var found =
        Jobs.of(look).all().stream()
            .filter(job -> job.key().job().equals(name))
            .filter(job -> asked.matches(job.key()))
            .toList();
    return switch (found.size()) {
      case 0 ->
          throw look.missing().isEmpty()
              ? new RefusedRequest(404, "no job is called '%s'".formatted(name))
              : new RefusedRequest(
                  503,
                  "no job called '%s' is among what could be asked; missing: %s"
                      .formatted(name, String.join("; ", look.missing())));
      case 1 -> found.getFirst();
      default -> throw ambiguous(name, found);
    };
  }

  /// Names how the jobs differ and how to request each of them.
  private static RefusedRequest ambiguous(String name, List<Job> found) {
    var keys = found.stream().map(Job::key).sorted().toList();
    var clusters = keys.stream().map(JobKey::cluster).distinct().toList();
    if (clusters.size() == keys.size()) {
      return new RefusedRequest(
          400,
          "job '%s' is in several clusters, add ?cluster= with one of: %s"
              .formatted(name, String.join(", ", clusters)));
    }
    if (clusters.size() == 1) {
      return new RefusedRequest(
          400,
          "job '%s' is in several namespaces, add ?namespace= with one of: %s"
              .formatted(name, String.join(", ", keys.stream().map(JobKey::namespace).toList())));
    }
    return new RefusedRequest(
        400,
        "job '%s' is in several clusters and namespaces, add ?cluster= and namespace= with one of: %s"
            .formatted(
                name,
                String.join(
                    ", ",
                    keys.stream()
                        .map(
                            key ->
                                "cluster=%s&namespace=%s".formatted(key.cluster(), key.namespace()))
                        .toList())));
  }

  /// The requested clusters and namespaces: all, or one.
  private record Scope(Optional<String> cluster, Optional<String> namespace) {
    static Scope of(Request request) {
      return new Scope(request.parameter("cluster"), request.parameter("namespace"));
    }

    boolean matches(JobKey key) {
      return cluster.map(key.cluster()::equals).orElse(true)
          && namespace.map(key.namespace()::equals).orElse(true);
    }
  }

  private static RefusedRequest unknown() {
    return new RefusedRequest(
        404,
        "known: /api/v1/jobs, /api/v1/jobs/{job}, /api/v1/jobs/{job}/runs, /api/v1/findings, /api/v1/nodes, /api/v1/campaign");
  }

  /// @param total number of matches; `jobs` is one page of them
  /// @param verdicts numbers over all matches
  /// @param next the cursor of the next page, null if this is the last
  /// @param missing what could not be queried and why; empty if the answer is complete
  record JobList(
      List<JobOverview> jobs,
      int total,
      Verdicts verdicts,
      @Nullable String next,
      List<String> missing) {}

  /// Numbers of jobs by verdict; `unknown` if nothing could be judged.
  record Verdicts(long critical, long warning, long info, long ok, long unknown) {}

  record JobDetail(JobOverview overview, List<RunSummary> runs, List<Finding> findings) {}

  /// @param differences between each run and the one before it, in the order of the runs
  record RunList(List<RunSummary> runs, List<Comparison> differences) {}

  /// The same for findings.
  record FindingList(
      int total, List<Finding> findings, @Nullable String next, List<String> missing) {}
}
