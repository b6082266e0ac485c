/// The best class of every item of an output that has class after class, as the numbers lie: eight items at once.
enum BestClasses {
    /// - Parameters:
    ///   - first: the first class's scores, one for each item.
    ///   - classes: how many there are, 1 at least, each `step` numbers behind the one before.
    ///   - body: Gets the items' best scores and the classes that have them, the first of equal ones; NaN is no score but in
    ///     the first class. They are gone when it returns.
    static func find(
        _ first: UnsafePointer<Float>, classes: Int, step: Int, items: Int,
        _ body: (UnsafePointer<Float>, UnsafePointer<Int32>) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: items) { best in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: items) { labels in
                guard let best = best.baseAddress, let labels = labels.baseAddress else { return }
                best.update(from: first, count: items)
                labels.update(repeating: 0, count: items)
                for label in 1..<max(1, classes) { raise(best, labels, by: first + label * step, Int32(label), items) }
                body(best, labels)
            }
        }
    }

    private static func raise(
        _ best: UnsafeMutablePointer<Float>, _ labels: UnsafeMutablePointer<Int32>, by values: UnsafePointer<Float>,
        _ label: Int32, _ count: Int
    ) {
        var index = 0
        let label8 = SIMD8<Int32>(repeating: label)
        while index + 8 <= count {
            let value = UnsafeRawPointer(values + index).loadUnaligned(as: SIMD8<Float>.self)
            var known = UnsafeRawPointer(best + index).loadUnaligned(as: SIMD8<Float>.self)
            let isMore = value .> known
            if any(isMore) {
                var names = UnsafeRawPointer(labels + index).loadUnaligned(as: SIMD8<Int32>.self)
                known.replace(with: value, where: isMore)
                names.replace(with: label8, where: isMore)
                UnsafeMutableRawPointer(best + index).storeBytes(of: known, as: SIMD8<Float>.self)
                UnsafeMutableRawPointer(labels + index).storeBytes(of: names, as: SIMD8<Int32>.self)
            }
            index += 8
        }
        while index < count {
            if values[index] > best[index] { (best[index], labels[index]) = (values[index], label) }
            index += 1
        }
    }
}
