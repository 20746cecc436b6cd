/// What can go wrong in the cache itself; a producer's own errors pass through untouched.
///
/// A struct with a code, so that codes can be added without breaking a `switch`.
public struct CacheError: Error, Sendable, CustomStringConvertible {
  /// What went wrong.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    private init(_ name: String) { description = name }

    /// A load waits, through any number of flights, for itself.
    public static let recursiveLoad = Code("recursiveLoad")
    /// A callback producer released both handlers without calling one, or its load was given up.
    public static let abandoned = Code("abandoned")
    /// A caller waited for a load as long as its `hardTimeout` allows.
    public static let timedOut = Code("timedOut")
    /// The source failed a short while ago, and the load was held back; the cause is what it failed
    /// with.
    public static let backingOff = Code("backingOff")
    /// Nothing usable is cached and the mode forbids loading.
    public static let notCached = Code("notCached")
    /// A lifetime is not a number.
    public static let invalidExpiry = Code("invalidExpiry")
    /// A key cannot be derived.
    public static let invalidKey = Code("invalidKey")
    /// Bytes are not the record that they should be.
    public static let recordDamaged = Code("recordDamaged")
    /// A store failed, and its policy or the operation does not hide that.
    public static let storeFailed = Code("storeFailed")
    /// An entry could not be removed from every store; it is not served all the same.
    public static let removalFailed = Code("removalFailed")
    /// The store or type cannot do this.
    public static let unsupported = Code("unsupported")
    /// No feature of that name is configured.
    public static let unknownFeature = Code("unknownFeature")
    /// The feature requires scope parts that are not bound.
    public static let missingScope = Code("missingScope")
    /// The configuration contradicts itself or names something unknown.
    public static let invalidConfiguration = Code("invalidConfiguration")
    /// The shared caches are in use, or set up, already.
    public static let alreadyBootstrapped = Code("alreadyBootstrapped")
    /// The producer answered `.notModified`, but there was nothing to keep.
    public static let unexpectedNotModified = Code("unexpectedNotModified")
    /// The cache was closed.
    public static let closed = Code("closed")
    /// A value's type cannot be stored without losing part of it.
    public static let unsupportedType = Code("unsupportedType")
  }

  /// What went wrong.
  public let code: Code

  /// One sentence that says what happened and what to do.
  public let message: String

  /// The key it concerns, if one does.
  public let key: CacheKey?

  /// The error behind it, if there is one.
  public let cause: (any Error)?

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: what went wrong.
  ///   - message: one sentence that says what happened and what to do.
  ///   - key: the key it concerns, if one does.
  ///   - cause: the error behind it, if there is one.
  public init(
    _ code: Code,
    _ message: String,
    key: CacheKey? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.key = key
    self.cause = cause
  }

  /// The code, the sentence and the cause.
  public var description: String {
    var text = "\(code): \(message)"
    if let cause { text += " (\(cause))" }
    return text
  }
}
