extension CacheSelection {
  /// What a selector names.
  init(_ selector: CacheSelector) {
    switch selector.kind {
    case .keys(let keys): self.init(keys.count == 1 ? "key" : "keys", keys.map(\.text))
    case .tags(let selection): self.init(selection)
    case .scope(let scope): self.init("namespace", [scope.description])
    case .condition: self.init("where")
    case .all: self.init("all")
    }
  }

  /// What an invalidation of a store names.
  init(_ invalidation: StoreInvalidation) {
    if invalidation.selection == .everything, !invalidation.namespace.scope.isEmpty {
      self.init("namespace", [invalidation.namespace.description])
    } else {
      self.init(invalidation.selection)
    }
  }

  private init(_ selection: StoreInvalidation.Selection) {
    switch selection {
    case .everything: self.init("all")
    case .anyOf(let tags):
      self.init(tags.count == 1 ? "tag" : "tags(anyOf:)", tags.map(\.description))
    case .allOf(let tags):
      self.init(tags.count == 1 ? "tag" : "tags(allOf:)", tags.map(\.description))
    }
  }
}
