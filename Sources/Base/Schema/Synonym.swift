/// The word of a list that another program writes with other words around it: `DICT_6X6_250` is `aruco-6x6-250`. It is
/// the one that shares the most parts with what was typed, two at the least; nil where two share as many.
public func sharingParts(with typed: String, among words: some Sequence<String>) -> String? {
    func parts(_ text: String) -> Set<Substring> { Set(text.split { !$0.isLetter && !$0.isNumber }) }
    guard typed.utf8.count <= 255 else { return nil }
    let wanted = parts(typed.lowercased())
    guard wanted.count > 1 else { return nil }
    var best: (word: String, shared: Int)?
    var isUnique = true
    for word in words {
        let shared = parts(word.lowercased()).intersection(wanted).count
        if shared > best?.shared ?? 1 {
            (best, isUnique) = ((word, shared), true)
        } else if shared == best?.shared {
            isUnique = false
        }
    }
    return isUnique ? best?.word : nil
}
