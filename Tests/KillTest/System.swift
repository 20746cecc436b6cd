#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes a line in one call; the process has no use when its reader is gone.
func writeLine(_ line: String, to descriptor: Int32) {
  let bytes = Array((line + "\n").utf8)
  if unsafe write(descriptor, bytes, bytes.count) != bytes.count { exit(3) }
}

/// Opens a file for writing and makes it empty.
func openEmpty(_ path: String) -> Int32 {
  unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
}

/// The error number of the last call.
func lastError() -> Int32 { errno }

/// Ends a process at once, whatever it is doing.
func killNow(_ process: Int32) { _ = kill(process, SIGKILL) }

/// Waits until one of two pipes can be read, and reads; `nil` at the end of that pipe.
func readSome(of descriptors: [Int32]) -> (index: Int, bytes: [UInt8]?)? {
  var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  guard unsafe poll(&requests, nfds_t(requests.count), 60_000) > 0 else { return nil }
  guard let index = requests.firstIndex(where: { $0.revents != 0 }) else { return nil }
  var buffer = [UInt8](repeating: 0, count: 65_536)
  let count = unsafe read(descriptors[index], &buffer, buffer.count)
  return (index, count > 0 ? Array(buffer.prefix(count)) : nil)
}

/// Does nothing, busily, for a while: shorter than any sleep could be.
func spin(microseconds: UInt64) {
  let clock = ContinuousClock()
  let end = clock.now + .microseconds(Int64(microseconds))
  while clock.now < end {}
}

/// Ends this process.
func leave(_ status: Int32) -> Never { exit(status) }
