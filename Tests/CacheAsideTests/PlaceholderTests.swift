import Testing
@testable import CacheAside
@Test func `builds`() { #expect(TimeSource.system.isExact == false) }
