import Testing

@testable import Annotate

/// Why a job would run, in words.
@Suite struct RecipeChangeTests {
    @Test(arguments: [
        (#"{"program": "x 1"}"#, #"{"program": "x 2"}"#, "the program changed (x 1 → x 2)"),
        (#"{"encode.crf": "20"}"#, #"{"encode.crf": "23"}"#, "“encode.crf” changed (20 → 23)"),
        (
            #"{"a": "1"}"#, #"{"a": "1", "stages.found.minimumSize": "12"}"#,
            "option “minimumSize” of stage “found” is new (12)"
        ),
        (#"{"a": "1", "stages.found.ids": "[1]"}"#, #"{"a": "1"}"#, "option “ids” of stage “found” is gone (was [1])"),
        (#"{"stages.n.model": "@1-aa"}"#, #"{"stages.n.model": "@1-bb"}"#, "model of stage “n” changed"),
        (##"{"regions": "#aa"}"##, ##"{"regions": "#bb"}"##, "“regions” changed"),
    ])
    func changes(old: String, new: String, expected: String) {
        #expect(RecipeChange.describe(from: old, to: new) == expected)
    }

    @Test func manyChangesAreCounted() {
        let old = #"{"a": "1", "b": "1", "c": "1", "d": "1", "e": "1"}"#
        let sentence = RecipeChange.describe(from: old, to: old.replacing("1", with: "2"))
        #expect(sentence.hasSuffix(", and 2 more"))
        #expect(RecipeChange.describe(from: nil, to: old) == "what it depends on changed")
    }
}
