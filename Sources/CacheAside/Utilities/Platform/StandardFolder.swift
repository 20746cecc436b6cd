// Where the platform wants caches and lasting data, without Foundation on Linux.
//
// Apple: the caches and application support folders of the user, inside the container of a sandboxed
// app. Elsewhere: the XDG base directories. A relative value of an XDG variable is ignored, as the
// specification asks. Asked every time a store is opened: containers move between launches.
#if canImport(Darwin)
import Foundation
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

enum StandardFolder {
  /// The folder for what may vanish at any time, for this program.
  ///
  /// - Parameter variable: looks up an environment variable; not used on Apple platforms.
  /// - Returns: its path, or `nil` when the user has no home.
  static func caches(_ variable: (String) -> String? = environment) -> String? {
    #if canImport(Darwin)
    return path(of: .cachesDirectory)
    #else
    return folder(variable, "XDG_CACHE_HOME", orInHome: ".cache")
    #endif
  }

  /// The folder for what must stay, for this program.
  ///
  /// - Parameter variable: looks up an environment variable; not used on Apple platforms.
  /// - Returns: its path, or `nil` when the user has no home.
  static func lastingData(_ variable: (String) -> String? = environment) -> String? {
    #if canImport(Darwin)
    return path(of: .applicationSupportDirectory)
    #else
    return folder(variable, "XDG_DATA_HOME", orInHome: ".local/share")
    #endif
  }

  /// Keeps a folder out of backups, where the platform has them.
  static func excludeFromBackup(_ path: String) {
    #if canImport(Darwin)
    var url = URL(fileURLWithPath: path, isDirectory: true)
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    // A volume without extended attributes has no backup to stay out of.
    _ = try? url.setResourceValues(values)
    #endif
  }

  /// A path made absolute, with the symbolic links of what exists resolved.
  static func absolute(_ path: String) -> String {
    if let resolved = unsafe realpath(path, nil) {
      defer { unsafe free(resolved) }
      return unsafe String(cString: resolved)
    }
    guard !path.hasPrefix("/") else { return path }
    guard let current = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(current) }
    return unsafe String(cString: current) + "/" + path
  }

  static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  #if canImport(Darwin)
  private static func path(of folder: FileManager.SearchPathDirectory) -> String? {
    let urls = FileManager.default.urls(for: folder, in: .userDomainMask)
    guard let url = urls.first else { return nil }
    return url.appendingPathComponent(programName(), isDirectory: true).path
  }

  private static func programName() -> String {
    Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
  }
  #else
  private static func folder(
    _ variable: (String) -> String?,
    _ name: String,
    orInHome folder: String
  ) -> String? {
    if let value = variable(name), value.hasPrefix("/") { return value + "/" + programName() }
    guard let home = home(variable) else { return nil }
    return home + "/" + folder + "/" + programName()
  }

  private static func home(_ variable: (String) -> String?) -> String? {
    if let home = variable("HOME"), home.hasPrefix("/") { return home }
    guard let user = unsafe getpwuid(geteuid()), let home = unsafe user.pointee.pw_dir else {
      return nil
    }
    return unsafe String(cString: home)
  }

  private static func programName() -> String {
    let path = CommandLine.arguments.first ?? ""
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return name.isEmpty || name == "." || name == ".." ? "swift-program" : name
  }
  #endif
}
