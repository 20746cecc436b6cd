/// What one tier had under a key.
public struct CacheFinding: Hashable, Sendable, CustomStringConvertible {
  /// The finding in a few words.
  public let description: String

  private init(_ description: String) { self.description = description }

  /// A value that is fresh.
  public static let fresh = CacheFinding("fresh")
  /// A value that has expired and is still kept.
  public static let expired = CacheFinding("expired")
  /// A value that is kept no longer and has not been swept.
  public static let gone = CacheFinding("gone")
  /// Nothing.
  public static let absent = CacheFinding("absent")
  /// A value of another type, or of another codec.
  public static let otherType = CacheFinding("other type")
  /// A value that was written when its type had another structure, or under another version of it.
  public static let otherSchema = CacheFinding("other schema")
  /// A record that its codec does not understand.
  public static let undecodable = CacheFinding("undecodable")
  /// A value that was invalidated by one of its tags or its scope.
  public static let invalidated = CacheFinding("invalidated")
  /// Something that must not be served: its removal failed, or is still queued.
  public static let tombstone = CacheFinding("tombstone")
  /// The tier could not be read.
  public static let failed = CacheFinding("failed")
}
