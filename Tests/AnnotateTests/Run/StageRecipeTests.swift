import Testing

@testable import Annotate

/// Which stages' results may be taken from the run before.
@Suite struct StageRecipeTests {
    private static func stage(
        _ id: String, _ inputs: [String] = [], _ attachmentUse: AttachmentUse = .nothing, keepsNumbers: Bool = false
    ) -> StageRecipe {
        var stage = StageRecipe()
        (stage.id, stage.fingerprint, stage.inputs) = (id, id + "1", inputs)
        (stage.attachmentUse, stage.isDrawn, stage.keepsNumbers) = (attachmentUse, true, keepsNumbers)
        return stage
    }

    /// - Parameter changed: Stages that were something else before.
    private func reusable(_ stages: [StageRecipe], changed: String..., keepsNumbers: Bool = true) -> [String] {
        let earlier = Dictionary(
            stages.map { ($0.id, changed.contains($0.id) ? "other" : $0.fingerprint) }, uniquingKeysWith: { $1 })
        return StageRecipe.reusable(stages, earlier: earlier, keepsNumbers: keepsNumbers)
    }

    private static let gallery = [
        stage("markers"), stage("frames"), stage("pictures", ["frames"], .toStages),
        stage("names", ["pictures"], .toStages), stage("altered", ["pictures"], .toDrawing),
    ]

    @Test func whatChangedAndWhatIsBehindIt() {
        let chain = [Self.stage("a"), Self.stage("b", ["a"]), Self.stage("c", ["b"]), Self.stage("d")]
        #expect(reusable(chain) == ["a", "b", "c", "d"])
        #expect(reusable(chain, changed: "b") == ["a", "d"])
        #expect(reusable(chain, changed: "a") == ["d"])
        #expect(StageRecipe.reusable(chain, earlier: [:], keepsNumbers: true) == [])
    }

    /// What is drawn and isn't in the file is made again, of what it needs; who speaks of tracks of a stage that runs again
    /// does too.
    @Test func whatTheFileHasNot() {
        #expect(reusable(Self.gallery) == ["markers", "frames"])
        var hidden = Self.gallery
        for index in hidden.indices { hidden[index].isDrawn = false }
        #expect(reusable(hidden) == hidden.map(\.id))
        #expect(reusable(hidden, changed: "names") == ["markers", "frames"])
    }

    /// Numbers that come from elsewhere are taken over with everything, or brought along again.
    @Test func numbersFromElsewhere() {
        let stages = [Self.stage("seen", keepsNumbers: true), Self.stage("names", ["seen"]), Self.stage("markers")]
        #expect(reusable(stages) == ["seen", "names", "markers"])
        #expect(reusable(stages, keepsNumbers: false) == ["markers"])
        #expect(reusable(stages, changed: "markers") == [])
    }
}
