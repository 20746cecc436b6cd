#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files in 256 folders, by the system calls and nothing else.
final class RawFiles {
  private let root: String
  private let paths: [String]
  private let folders: [String]
  private let temporary: String
  private let buffer: UnsafeMutableRawBufferPointer

  /// Makes the folders that the names begin with, and no file.
  init(_ root: String, names: [String], size: Int) throws {
    self.root = root
    folders = names.map { String($0.prefix(2)) }
    paths = names.map { "\(root)/\($0.prefix(2))/\($0)" }
    temporary = root + "/tmp/new"
    buffer = .allocate(byteCount: size, alignment: 16)
    buffer.initializeMemory(as: UInt8.self, repeating: 7)
    try check(mkdir(root, 0o700), "mkdir")
    try check(mkdir(root + "/tmp", 0o700), "mkdir")
    for folder in Set(folders) { try check(mkdir(root + "/" + folder, 0o700), "mkdir") }
  }

  deinit { buffer.deallocate() }

  /// Creates a file under another name and renames it.
  func write(_ index: Int) throws {
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    try check(descriptor, "open")
    guard systemWrite(descriptor, buffer.baseAddress, buffer.count) == buffer.count else {
      throw BenchmarkFailure("write: \(errno)")
    }
    try check(close(descriptor), "close")
    try check(rename(temporary, paths[index]), "rename")
  }

  /// Opens, reads and closes a file.
  func read(_ index: Int) throws -> Int {
    let descriptor = open(paths[index], O_RDONLY | O_CLOEXEC)
    try check(descriptor, "open")
    let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
    guard count == buffer.count else { throw BenchmarkFailure("read: \(errno)") }
    try check(close(descriptor), "close")
    return count
  }

  static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  func unlink(_ index: Int) throws { try check(systemUnlink(paths[index]), "unlink") }

  func openFolder() throws {
    let descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try check(descriptor, "open")
    try check(close(descriptor), "close")
  }

  /// The same files, those of one folder together.
  func byFolder(_ indices: [Int]) -> [Int] { indices.sorted { folders[$0] < folders[$1] } }

  private func check(_ result: Int32, _ call: String) throws {
    if result < 0 { throw BenchmarkFailure("\(call): \(errno)") }
  }
}

// Under other names than the methods that call them.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

private func systemRead(
  _ descriptor: Int32,
  _ bytes: UnsafeMutableRawPointer?,
  _ count: Int
) -> Int {
  read(descriptor, bytes, count)
}

private func systemUnlink(_ path: String) -> Int32 { unlink(path) }
