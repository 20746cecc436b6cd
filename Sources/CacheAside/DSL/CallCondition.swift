/// The condition of a memoized function: a struct, since an optional cannot hold a variadic closure.
@usableFromInline
struct CallCondition<each Argument: Sendable>: Sendable {
  let holds: @Sendable (repeat each Argument) -> Bool
}
