public import Annotate

extension StageCatalog {
    /// THE list of stage types. A new one is one file and one line here.
    public static let standard = StageCatalog([
        MarkersBlueprint.self, RectanglesBlueprint.self, TrackBlueprint.self, ImagesBlueprint.self,
        FacesBlueprint.self, ClassifyBlueprint.self, LabelsBlueprint.self, TextBlueprint.self,
        BarcodesBlueprint.self, HorizonBlueprint.self, AlterBlueprint.self,
    ])
}
