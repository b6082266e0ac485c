internal import Glibc

extension StageCatalog {
    /// The standard stage types. A new one is one file and one line here.
    public static let standard = StageCatalog(
        own: [
            MarkersBlueprint.self, RectanglesBlueprint.self, TrackBlueprint.self, ImagesBlueprint.self,
            FacesBlueprint.self, DetectBlueprint.self, ClassifyBlueprint.self, LabelsBlueprint.self, TextBlueprint.self,
            BarcodesBlueprint.self, HorizonBlueprint.self, AlterBlueprint.self, ImportBlueprint.self,
            FollowBlueprint.self, CountBlueprint.self,
        ], resources: [BundledFiles.openVINO, BundledFiles.networks] + languages + knownNetworks,
        compiler: NetworkCompiler.self)

    /// What is known of networks that were compiled before.
    private static var knownNetworks: [String] { ModelCache.ofEnvironment.map { [$0.index] } ?? [] }

    /// Folder in which Tesseract was told to find its languages, if it was.
    private static var languages: [String] {
        guard let folder = getenv("TESSDATA_PREFIX") else { return [] }
        return [String(cString: folder)]
    }
}
