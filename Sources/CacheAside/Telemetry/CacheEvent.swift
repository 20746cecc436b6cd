/// Something that happened in a cache and that no caller was told by a thrown error.
public struct CacheEvent: Sendable, CustomStringConvertible {
  /// What happened.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    init(_ name: String) { description = name }

    /// A store could not be read; the call went on as a miss.
    public static let readFailed = Kind("readFailed")
    /// A store could not be written; the caller got the value all the same.
    public static let writeFailed = Kind("writeFailed")
    /// A store could not remove an entry; it is not served from there any more.
    public static let removalFailed = Kind("removalFailed")
    /// A record was damaged and was removed or set aside.
    public static let recordDamaged = Kind("recordDamaged")
    /// A record could not be decoded and was removed or set aside.
    public static let decodeFailed = Kind("decodeFailed")
    /// A record was written when its type had another structure; it was not read, and stays until
    /// it is replaced or expires.
    public static let schemaChanged = Kind("schemaChanged")
    /// A value could not be encoded and stays in memory only.
    public static let encodeFailed = Kind("encodeFailed")
    /// A value was larger than its limit allows and was not stored.
    public static let rejected = Kind("rejected")
    /// A producer threw.
    public static let loadFailed = Kind("loadFailed")
    /// A load took longer than `abandonAfter` and was given up.
    public static let loadAbandoned = Kind("loadAbandoned")
    /// A load in the background ended without a value; its cause was reported before.
    public static let refreshFailed = Kind("refreshFailed")
    /// A row of loads has failed: from now on loads of that source are held back; the event's error is
    /// the last one's.
    public static let breakerOpened = Kind("breakerOpened")
    /// The source has answered again, and loads are held back no more.
    public static let breakerClosed = Kind("breakerClosed")
    /// A setting contradicts another, or is a risk; the event's error says which, and what to do.
    public static let advice = Kind("advice")
    /// A callback producer called its handlers more than once.
    public static let answeredTwice = Kind("answeredTwice")
  }

  /// What happened.
  public let kind: Kind

  /// The feature it happened in.
  public let feature: String

  /// The store it concerns, if one does.
  public let store: String?

  /// The key it concerns, if one does.
  public let key: CacheKey?

  /// The error behind it, if there is one.
  public let error: (any Error)?

  /// Makes an event.
  ///
  /// - Parameters:
  ///   - kind: what happened.
  ///   - feature: the feature it happened in.
  ///   - store: the store it concerns, if one does.
  ///   - key: the key it concerns, if one does.
  ///   - error: the error behind it, if there is one.
  public init(
    _ kind: Kind,
    feature: String,
    store: String? = nil,
    key: CacheKey? = nil,
    error: (any Error)? = nil
  ) {
    self.kind = kind
    self.feature = feature
    self.store = store
    self.key = key
    self.error = error
  }

  /// One line for a log; without the key, which may hold what must not be in a log.
  public var description: String {
    var text = "\(kind) feature=\(feature)"
    if let store { text += " store=\(store)" }
    if let error { text += " error=\(error)" }
    return text
  }
}
