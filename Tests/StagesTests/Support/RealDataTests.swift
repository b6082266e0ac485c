import Testing

@Suite struct RealDataTests {
    /// Tests that need them are left out without them. CI has them, or it fails here.
    @Test(.enabled(if: RealData.isThere || RealData.isExpected, RealData.reason)) func picturesAndClipsAreThere() {
        #expect(RealData.isThere, "\(RealData.folder) is missing, though CI is “true” and ../shared is there")
    }
}
