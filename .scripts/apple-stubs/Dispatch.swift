public final class DispatchQueue: @unchecked Sendable {
  public struct Attributes: OptionSet, Sendable { public let rawValue: UInt64; public init(rawValue: UInt64) { self.rawValue = rawValue }; public static let concurrent = Attributes(rawValue: 1) }
  public init(label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [], target: DispatchQueue? = nil) {}
  public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
  public static var main: DispatchQueue { fatalError() }
  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
}
public struct DispatchQoS: Sendable { public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified }; public static let unspecified = DispatchQoS(); public static let utility = DispatchQoS() }
public protocol DispatchSourceProtocol: AnyObject { func setEventHandler(handler: (@convention(block) () -> Void)?); func activate(); func cancel(); func resume() }
extension DispatchSourceProtocol { }
public protocol DispatchSourceMemoryPressure: DispatchSourceProtocol { var data: DispatchSource.MemoryPressureEvent { get } }
public struct DispatchTime: Sendable { public static func now() -> DispatchTime { fatalError() } }
public enum DispatchTimeInterval: Sendable { case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never }
public func + (t: DispatchTime, i: DispatchTimeInterval) -> DispatchTime { fatalError() }
public protocol DispatchSourceTimer: DispatchSourceProtocol {}
extension DispatchSourceTimer { public func schedule(deadline: DispatchTime, repeating: DispatchTimeInterval = .never, leeway: DispatchTimeInterval = .nanoseconds(0)) { fatalError() } }
public final class DispatchSemaphore: @unchecked Sendable { public init(value: Int) {}; public func wait() {}; @discardableResult public func signal() -> Int { fatalError() } }
public class DispatchSource {
  public struct TimerFlags: OptionSet, Sendable { public let rawValue: UInt; public init(rawValue: UInt) { self.rawValue = rawValue } }
  public class func makeTimerSource(flags: TimerFlags = [], queue: DispatchQueue? = nil) -> any DispatchSourceTimer { fatalError() }
  public struct MemoryPressureEvent: OptionSet, Sendable { public let rawValue: UInt; public init(rawValue: UInt) { self.rawValue = rawValue }; public static let normal = MemoryPressureEvent(rawValue: 1); public static let warning = MemoryPressureEvent(rawValue: 2); public static let critical = MemoryPressureEvent(rawValue: 4) }
  public class func makeMemoryPressureSource(eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil) -> any DispatchSourceMemoryPressure { fatalError() }
}
