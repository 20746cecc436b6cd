import CacheAsideTesting
import Foundation
import Testing

struct ManualClockFoundationTests {
  @Test func `the wall hand can be read and set as a date`() {
    let clock = ManualClock()
    #expect(clock.date == Date(timeIntervalSince1970: 1_893_456_000))
    clock.setWall(Date(timeIntervalSince1970: 1.5))
    #expect(clock.wallMicroseconds == 1_500_000)
    clock.setWall(Date(timeIntervalSince1970: 1e300))
    #expect(clock.wallMicroseconds == .max)
    clock.setWall(Date(timeIntervalSince1970: -1e300))
    #expect(clock.wallMicroseconds == .min)
  }
}
