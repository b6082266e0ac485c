import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

@Suite struct FaceTilesTests {
    /// Every face between the least and the picture's size is whole in a tile in which the network is at its best.
    @Test(arguments: [(1280, 720), (640, 480), (480, 640), (1920, 1080), (500, 302), (64, 2000), (1, 1)])
    func everyFaceIsWholeInSomeTile(width: Int, height: Int) {
        let searched = FaceTiles(width: width, height: height, longestSide: 640, minimumSize: 0)
        let tiles = searched.tiles + searched.finest
        let picture = Box(x: 0, y: 0, width: Double(width), height: Double(height))
        let fine = min(2.0, 1280 / Double(max(width, height)))
        var side = 24 / fine
        while side < 0.7 * min(picture.width, picture.height) {
            for (across, down) in [(0.0, 0.0), (0.3, 0.55), (0.5, 0.5), (0.77, 0.21), (1, 1)] {
                let face = Box(
                    x: across * (picture.width - side), y: down * (picture.height - side), width: side, height: side)
                let isWhole = tiles.contains { tile in
                    let (left, top) = (tile.center.x - tile.side / 2, tile.center.y - tile.side / 2)
                    let seen = side / tile.side * Double(FaceNetwork.Form.fullRange.side)
                    return seen >= 12 && face.x >= left - 1e-6 && face.y >= top - 1e-6
                        && face.right <= left + tile.side + 1e-6 && face.bottom <= top + tile.side + 1e-6
                }
                #expect(isWhole, "\(side) at \(across), \(down)")
            }
            side *= 1.3
        }
        let least = min(Double(FaceNetwork.Form.fullRange.side) / 2, Double(max(width, height)))
        #expect(tiles.allSatisfy { $0.side >= least - 1e-9 })
    }

    /// A face of which an edge cuts off half is in a view across that edge, but for a tenth at the most.
    @Test(arguments: [(1280, 720), (480, 640), (1920, 1080)]) func whatAnEdgeCutsHasRoom(width: Int, height: Int) {
        let searched = FaceTiles(width: width, height: height, longestSide: 640, minimumSize: 0)
        let (w, h) = (Double(width), Double(height))
        for side in [60.0, 110, 200] {
            for middle in [Point(0, 0.4 * h), Point(w, 0.7 * h), Point(0.3 * w, 0), Point(0.6 * w, h), Point(w, h)] {
                let face = Box(x: middle.x - side / 2, y: middle.y - side / 2, width: side, height: side)
                #expect(FaceTiles.cuts(face, width: width, height: height))
                let hasRoom = searched.wide.contains { view in
                    let (x, y) = (abs(view.center.x - middle.x), abs(view.center.y - middle.y))
                    let seen = side / view.side * Double(FaceNetwork.Form.fullRange.side)
                    return seen >= 16 && x + 0.4 * side <= view.side / 2 && y + 0.4 * side <= view.side / 2
                }
                #expect(hasRoom, "\(side) at \(middle)")
            }
        }
        #expect(!FaceTiles.cuts(Box(x: 0, y: 0, width: 40, height: 40), width: width, height: height))
        // Each has its turn before covers no longer reach back to the turn before.
        let schedule = FaceSchedule(searched, hides: true)
        let turns = schedule.turns(before: 7.3)..<schedule.turns(before: 7.3 + DrawStyle().coverGap)
        #expect(Set(schedule.tiles(turns)).isSuperset(of: searched.wide) && searched.wide.count <= 32)
    }

    /// The only picture is searched by both sorts of tiles, by none of them twice; a region's edges cut nothing.
    @Test func theOnlyPicture() {
        let tiles = FaceTiles(width: 1280, height: 720, longestSide: 640, minimumSize: 0)
        let still = FaceSchedule(tiles, hides: true, isStill: true).coarse
        #expect(Set(still) == Set(tiles.tiles + tiles.wide) && Set(still).count == still.count)
        let region = tiles.moved(by: Point(30, 40))
        #expect(FaceSchedule(region, hides: true).coarse == region.tiles)
    }

    /// Whatever the rate of the video and the steps of the stage, each cycle has every tile but the finest, which come in
    /// several cycles.
    @Test(arguments: [0.001, 0.02, 0.04, 0.25, 0.5]) func everyTileHasItsTurn(step: Double) {
        let tiles = FaceTiles(width: 1280, height: 720, longestSide: 640, minimumSize: 0)
        let schedule = FaceSchedule(tiles)
        func seen(in seconds: Double) -> Set<FaceView> {
            var (seen, now) = (Set<FaceView>(), 7.3)
            while now < 7.3 + seconds + step {
                seen.formUnion(schedule.tiles(schedule.turns(before: now)..<schedule.turns(before: now + step)))
                now += step
            }
            return seen
        }
        #expect(seen(in: 1.1 * FaceSchedule.cycle).isSuperset(of: tiles.tiles) && tiles.tiles.count <= 12)
        #expect(
            seen(in: FaceSchedule.cycle * Double(FaceSchedule.cycles)).count == tiles.tiles.count + tiles.finest.count)
        #expect(tiles.finest.count > 30)
    }

    /// What is on a view's left is on a mirrored one's right, whatever its turn.
    @Test(arguments: [0.0, 0.7]) func mirroredViews(angle: Double) {
        let view = FaceView(center: Point(30, 40), side: 10, angle: angle)
        let mirrored = FaceView(center: Point(30, 40), side: 10, angle: angle, isMirrored: true)
        for (x, y) in [(0.0, 0.0), (0.3, 0.8), (0.5, 1)] {
            #expect(mirrored.place(x, y).distance(to: view.place(1 - x, y)) < 1e-9)
        }
    }

    @Test func largeFacesNeedNoFineTiles() {
        let all = FaceTiles(width: 1280, height: 720, longestSide: 640, minimumSize: 20).tiles
        let some = FaceTiles(width: 1280, height: 720, longestSide: 640, minimumSize: 100)
        #expect(some.tiles.count == 1 && some.finest.isEmpty && all.count > 9)
    }
}
