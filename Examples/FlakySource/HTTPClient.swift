import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// As much of an HTTP client as the example needs: one GET a connection, on the loopback interface.
struct HTTPClient: Sendable {
  /// Gets the body of a path; ends at once when the task is cancelled.
  func get(_ path: String, port: UInt16) async throws -> String {
    let connection = Connection()
    let answer = try await withTaskCancellationHandler {
      try await blocking { try connection.exchange(path, port) }
    } onCancel: {
      connection.cancel()
    }
    // Status line, header fields, an empty line, the body.
    guard answer.hasPrefix("HTTP/1."), answer.split(separator: " ").dropFirst().first == "200",
      let head = answer.firstRange(of: "\r\n\r\n")
    else { throw Complaint("the source's answer is not complete") }
    return String(answer[head.upperBound...])
  }
}

/// One connection: used on one thread, cancelled on any.
private final class Connection: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Sends a request and reads until the other side closes.
  func exchange(_ path: String, _ port: UInt16) throws -> String {
    let descriptor = try open()
    defer { close() }
    try connect(descriptor, port)
    try send(Array("GET \(path) HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".utf8), descriptor)
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 { break }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw failure("read")
      }
      answer += buffer.prefix(count)
    }
    return String(decoding: answer, as: UTF8.self)
  }

  /// Ends the exchange on the other thread.
  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      if state.descriptor >= 0 { _ = shutdown(state.descriptor, Int32(SHUT_RDWR)) }
    }
  }

  private func open() throws -> Int32 {
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
    let kind = SOCK_STREAM | SOCK_CLOEXEC
    #else
    let kind = SOCK_STREAM
    #endif
    return try state.withLock { state in
      if state.isCancelled { throw CancellationError() }
      let descriptor = socket(AF_INET, kind, 0)
      guard descriptor >= 0 else { throw failure("make a socket") }
      state.descriptor = descriptor
      #if canImport(Darwin)
      var on: Int32 = 1
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(4))
      #endif
      return descriptor
    }
  }

  private func close() {
    state.withLock { state in
      #if canImport(Darwin)
      _ = Darwin.close(state.descriptor)
      #elseif canImport(Glibc)
      _ = Glibc.close(state.descriptor)
      #else
      _ = Musl.close(state.descriptor)
      #endif
      state.descriptor = -1
    }
  }

  private func connect(_ descriptor: Int32, _ port: UInt16) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        #if canImport(Darwin)
        unsafe Darwin.connect(descriptor, pointer, size)
        #elseif canImport(Glibc)
        unsafe Glibc.connect(descriptor, pointer, size)
        #else
        unsafe Musl.connect(descriptor, pointer, size)
        #endif
      }
    }
    guard result == 0 else { throw failure("connect") }
  }

  private func send(_ bytes: [UInt8], _ descriptor: Int32) throws {
    #if canImport(Darwin)
    let flags: Int32 = 0
    let sent = unsafe Darwin.send(descriptor, bytes, bytes.count, flags)
    #elseif canImport(Glibc)
    let sent = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    #else
    let sent = unsafe Musl.send(descriptor, bytes, bytes.count, MSG_NOSIGNAL)
    #endif
    // A request this small is taken whole or not at all.
    guard sent == bytes.count else { throw failure("write") }
  }

  private func failure(_ what: String) -> Complaint {
    Complaint("could not \(what): \(unsafe String(cString: strerror(errno)))")
  }
}
