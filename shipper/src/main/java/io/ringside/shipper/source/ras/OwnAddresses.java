package io.ringside.shipper.source.ras;

import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/// Whether a host that RAS names is one that this agent queries, or its own machine.
public final class OwnAddresses implements Predicate<String> {
  private final Set<String> own = new HashSet<>();

  /// @param asked addresses that the agent queries, as `host:port`
  public OwnAddresses(Collection<String> asked) {
    asked.forEach(address -> own.add(address.substring(0, address.lastIndexOf(':'))));
    try {
      NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .forEach(address -> own.add(plain(address.getHostAddress())));
    } catch (SocketException e) {
      own.add("127.0.0.1"); // no address is known; then every job counts as led from elsewhere
    }
  }

  /// Strips the interface after `%`, which link-local IPv6 addresses have.
  private static String plain(String address) {
    int percent = address.indexOf('%');
    return (percent < 0 ? address : address.substring(0, percent)).toLowerCase(Locale.ROOT);
  }

  @Override
  public boolean test(String host) {
    return own.contains(plain(host));
  }
}
