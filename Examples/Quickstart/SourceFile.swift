import Foundation

/// A regular file with what tells one version of it from another.
struct SourceFile: Sendable {
  let path: String
  let size: Int
  /// Nanoseconds since 1970.
  let modified: Int64

  /// Every regular file at or below a path, sorted; of the links only the path itself is followed.
  ///
  /// Folders that cannot be listed and files that cannot be looked at are handed to `skipped`.
  static func all(below path: String, skipped: (String, String) -> Void) throws -> [SourceFile] {
    var found: [SourceFile] = []
    guard let root = try Status(path, followsLink: true) else {
      throw Complaint("\(path) does not exist; give the path of a file or folder")
    }
    if root.kind == .other { throw Complaint("\(path) is neither a file nor a folder") }
    var pending = [(path: path, status: root)]
    while let (path, status) = pending.popLast() {
      switch status.kind {
      case .file:
        found.append(SourceFile(path: path, size: status.size, modified: status.modified))
      case .folder:
        do {
          for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            let child = path.hasSuffix("/") ? path + name : path + "/" + name
            if let status = try? Status(child) {
              pending.append((child, status))
            } else {
              // Removed meanwhile, or its name is not UTF-8 and has no path in Swift.
              skipped(child, "\(child) cannot be looked at")
            }
          }
        } catch {
          skipped(path, "\(path) cannot be listed")
        }
      case .other: break
      }
    }
    return found.sorted { $0.path < $1.path }
  }

  /// What the system says of a path.
  private struct Status {
    enum Kind { case file, folder, other }

    let kind: Kind
    let size: Int
    let modified: Int64

    init?(_ path: String, followsLink: Bool = false) throws {
      var status = stat()
      let result = unsafe followsLink ? stat(path, &status) : lstat(path, &status)
      guard result == 0 else {
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw Complaint("\(path): \(unsafe String(cString: strerror(errno)))")
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG: kind = .file
      case S_IFDIR: kind = .folder
      default: kind = .other
      }
      size = Int(status.st_size)
      #if canImport(Darwin)
      let time = status.st_mtimespec
      #else
      let time = status.st_mtim
      #endif
      modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
  }
}
