/// What a write of the disk store survives once it was acknowledged.
public enum DiskDurability: Hashable, Sendable {
  /// The end of the process, however it comes about: the kernel has the record.
  ///
  /// After a loss of power an older record, or none, may be found; never a torn one.
  case process

  /// Also a loss of power: every write and removal waits for the device, about four times slower.
  case power
}
