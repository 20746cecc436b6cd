import CacheAside
import Testing

/// The same forms are compiled in two targets: with the upcoming features and with none.
@Suite(.timeLimit(.minutes(5)))
struct CallFormTests {
  @Test
  func `every form of cached picks the overload it should`() async throws {
    let forms = try await Caches.withCurrent(.inMemory) {
      try await CallForm.immediate() + CallForm.parameters() + CallForm.optionals()
        + CallForm.keyClosures() + CallForm.named() + CallForm.byPart() + CallForm.inFeature()
        + CallForm.options() + CallForm.optionsOfFunctions() + CallForm.previous()
        + CallForm.previousOfFunctions() + CallForm.previousInFeature()
        + Shelf().forms() + Catalogue().forms() + CallForm.onMainActor()
    }
    #expect(forms.count >= 90)
    for form in forms {
      print("\(form.form): \(form.picked)")
      #expect(form.picked == form.expected, "\(form.form)")
    }
  }
}
