/// When the system lets a file be read, on Apple platforms.
///
/// The class is set on every file that is created. Other platforms have no such classes: there the
/// value is accepted and ignored, and files are private to the user by their mode alone.
public enum FileProtection: Hashable, Sendable, CaseIterable {
  /// Readable only while the device is unlocked.
  case complete
  /// Readable while unlocked; a file that is open stays readable.
  case completeUnlessOpen
  /// Readable once the user has unlocked the device after a restart; the default.
  case completeUntilFirstUserAuthentication
  /// Always readable.
  case none

  /// The number of the class, as `F_SETPROTECTIONCLASS` takes it.
  var protectionClass: Int32 {
    switch self {
    case .complete: 1
    case .completeUnlessOpen: 2
    case .completeUntilFirstUserAuthentication: 3
    case .none: 4
    }
  }
}
