import CacheAside
import Testing

/// The same forms are compiled in two targets: with the upcoming features and with none.
@Suite(.timeLimit(.minutes(60)))
struct CallFormTests {
  static func forms() async throws -> [CallForm] {
    try await Caches.withCurrent(.inMemory) {
      try await CallForm.immediate() + CallForm.parameters() + CallForm.optionals()
        + CallForm.keyClosures() + CallForm.named() + CallForm.byPart() + CallForm.inFeature()
        + CallForm.options() + CallForm.optionsOfFunctions() + CallForm.previous()
        + CallForm.previousOfFunctions() + CallForm.previousInFeature()
        + Shelf().forms() + Catalogue().forms() + CallForm.onMainActor()
    }
  }

  @Test(arguments: try await forms())
  func `a form of cached picks the overload it should`(form: CallForm) {
    #expect(form.picked == form.expected)
  }

  @Test func `all forms are there, each once`() async throws {
    let forms = try await Self.forms().map(\.form)
    #expect(forms.count >= 90)
    #expect(Set(forms).count == forms.count)
  }
}
