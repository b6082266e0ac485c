import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Lists of COCO's results, by what their ids of images are.
@Suite struct ListedImagesTests {
    private let folder: ImportFolder

    init() throws { folder = try ImportFolder() }

    private func list(_ ids: [String]) throws -> String {
        let results = ids.map { #"{"image_id": \#($0), "category_id": 1, "bbox": [1, 2, 3, 4], "score": 0.5}"# }
        return try folder.write("[" + results.joined(separator: ",\n") + "]", "list.json")
    }

    private func frames(_ path: String, video: String? = nil, images: String? = nil) throws -> [Int64] {
        var request = ImportRequest(
            format: .coco, path: path, by: nil,
            firstFrame: images == nil ? ImportFormat.coco.firstFrame(of: path) : 0, classes: ["a"], stages: [],
            video: video)
        request.images = images
        return try request.read().rows(in: .min ... .max).map(\.key)
    }

    private func failure(_ path: String, video: String? = nil, images: String? = nil) -> String? {
        do {
            _ = try frames(path, video: video, images: images)
            return nil
        } catch {
            return "\(error)".replacing(folder.path + "/", with: "")
        }
    }

    @Test func numbersOfFrames() throws {
        let path = try list(["1", "3"])
        #expect(try frames(path) == [0, 2])
        #expect(
            failure(try list(["true"]))
                == "list.json:1: a result without an “image_id”; expected a whole number, the frame's, or a picture's name"
        )
    }

    /// The file that names the pictures names the classes too, where nobody else does.
    @Test func namesOfCategories() throws {
        let images = try folder.write(
            """
            {"categories": [{"id": 1, "name": "dog"}, {"id": 7, "name": "cat"}], "images": [{"id": 5, "file_name": "c_000003.jpg"}]}
            """, "images.json")
        func labels(_ classes: [String]) throws -> [String?] {
            var request = ImportRequest(
                format: .coco, path: try list(["5"]), by: nil, firstFrame: 0, classes: classes, stages: [], video: nil)
            request.images = images
            return try request.read().rows(in: .min ... .max).map(\.label)
        }
        #expect(try labels([]) == ["dog"])
        #expect(try labels(["car"]) == ["car"])
    }

    @Test func namesOfPictures() throws {
        #expect(try frames(try list([#""clip_000000.jpg""#, #""x/clip_000007""#])) == [0, 7])
        let path = try list([#""cam.left_000001""#, #""b_000002.png""#])
        #expect(try frames(path, video: "cam.left") == [1])
        #expect(failure(path) == "list.json: it is of 2 clips; expected “video” to name one of “cam.left”, “b”")
        #expect(failure(path, video: "c") == "list.json: no clip “c”; expected one of “cam.left”, “b”")
        #expect(
            failure(try list([#""clip.jpg""#]))
                == "list.json:1: the picture “clip.jpg”; expected a name with the frame's number at its end")
    }

    @Test func imagesOfAnotherFile() throws {
        let images = try folder.write(
            #"""
            {"videos": [{"id": 1, "name": "v"}, {"id": 2, "name": "w"}],
             "images": [{"id": 90, "video_id": 1, "frame_index": 12, "file_name": "v_000012.jpg"},
              {"id": 91, "video_id": 2, "frame_index": 5, "file_name": "w_000005.jpg"}, {"id": 7, "file_name": "v_000003.jpg"}]}
            """#, "images.json")
        let path = try list(["90", "91", "7"])
        #expect(try frames(path, video: "v", images: images) == [3, 12])
        #expect(
            failure(path, images: images) == "list.json: it is of 2 clips; expected “video” to name one of “v”, “w”")
        #expect(
            failure(try list(["8"]), video: "v", images: images)
                == "list.json:1: the image_id 8; expected one of the images of images.json")
        #expect(
            failure(images, video: "v", images: images)
                == "images.json: it has its own “images”; expected a list of results, or no “images”")
    }

    @Test func whatIsNoVOC() throws {
        _ = try folder.write("<x/>", "a_000001.xml")
        let request = ImportRequest(
            format: .voc, path: folder.path + "/a_*.xml", by: nil, firstFrame: 0, classes: [], stages: [])
        var told = ""
        do { _ = try request.read() } catch { told = "\(error)".replacing(folder.path + "/", with: "") }
        #expect(told == "a_000001.xml:1: “<x>”; expected VOC's “<annotation>”")
    }
}
