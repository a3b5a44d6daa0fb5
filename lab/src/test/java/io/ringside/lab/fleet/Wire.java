package io.ringside.lab.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The way from one instance to the broker, which can be made slow or be cut. Where it is cut
/// nothing is refused and nothing closed: bytes do not arrive, as behind a switch that failed. What
/// is under way arrives once it is mended, as TCP sends it again.
final class Wire implements AutoCloseable {
  private static final int SEGMENT = 64 << 10;

  private final ServerSocket door;
  private final InetSocketAddress far;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition mended = lock.newCondition();
  private boolean cut;
  private volatile Duration delay = Duration.ZERO;

  /// @param near the address at which the instance finds it
  /// @param port the broker's listener for this wire, on loopback
  Wire(InetAddress near, int port) throws IOException {
    door = new ServerSocket(0, 50, near);
    far = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    Thread.ofVirtual().start(this::accept);
  }

  String address() {
    return door.getInetAddress().getHostAddress() + ":" + door.getLocalPort();
  }

  void cut() {
    lock.lock();
    try {
      cut = true;
    } finally {
      lock.unlock();
    }
  }

  void mend() {
    lock.lock();
    try {
      cut = false;
      mended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// What is sent from now on is under way for so long, in either direction; no more than 64 KiB at
  /// a time.
  void delay(Duration each) {
    delay = each;
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        var near = door.accept();
        Thread.ofVirtual().start(() -> connect(near));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void connect(Socket near) {
    open.add(near);
    try {
      await();
      var broker = new Socket(far.getAddress(), far.getPort());
      open.add(broker);
      Thread.ofVirtual().start(() -> carry(near, broker));
      carry(broker, near);
    } catch (IOException e) {
      hangUp(near); // nobody listens there now
    }
  }

  private void carry(Socket from, Socket to) {
    var bytes = new byte[SEGMENT];
    try {
      for (int n = from.getInputStream().read(bytes);
          n >= 0;
          n = from.getInputStream().read(bytes)) {
        TimeUnit.NANOSECONDS.sleep(delay.toNanos());
        await();
        to.getOutputStream().write(bytes, 0, n);
      }
    } catch (IOException e) {
      // either end has closed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      hangUp(from);
      hangUp(to);
    }
  }

  private void await() {
    lock.lock();
    try {
      while (cut) {
        mended.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void hangUp(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    mend();
    for (var socket : open) {
      socket.close();
    }
  }
}
