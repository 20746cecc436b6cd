#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Data: BytesCosted {
  var byteCount: Int { count }
}
