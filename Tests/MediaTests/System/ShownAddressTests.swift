import Testing

@testable import Base

/// What people are shown of paths and addresses.
@Suite struct ShownAddressTests {
    @Test(arguments: [
        ("http://joe:hush@h.org/a.json?sig=hush", "http://h.org/a.json"),
        ("http:/joe:hush@h.org/a.mp4?sig=hush", "http:/h.org/a.mp4"),
        ("1http://joe:hush@h.org/a.mp4#hush", "1http://h.org/a.mp4"),
        ("ht tp://joe:hush@h.org/a.mp4?sig=hush", "ht tp://h.org/a.mp4"),
        ("https;//joe:hush@h.org/a?sig=hush", "https;//h.org/a"),
        ("http//joe:hush@h/a?hush", "http//h/a"),
        ("http:\\\\joe:hush@h/a?hush", "http:\\\\h/a"),
        ("dir/sub/http:/joe:hush@h/a?hush", "dir/sub/http:/h/a"),
        ("joe:hush@h.org/a", "h.org/a"),
        ("//joe:hush@h.org/a", "//h.org/a"),
        // Signs that nobody wrote with a percent sign.
        ("http://joe:hu/sh@h/a", "http://h/a"),
        ("http://joe:hu?sh@h/a", "http://…"),
        ("http://a/x,http://joe:hush@b/y", "http://a/x,http://b/y"),
    ])
    func whatIsSecretIsLeftOut(text: String, shown: String) {
        #expect(RemoteAddress.shown(text) == shown)
        #expect(RemoteAddress.isMeant(text))
        #expect("could not open \(text): no".withoutSecrets.contains("hush") == false)
        #expect("no file “\(text)”; expected one".withoutSecrets == "no file “\(shown)”; expected one")
    }

    @Test(arguments: [
        "videos/a?.mp4", "out//a@2x.png", "clip 12:30@home.mp4", "dir/https/a#1.mp4", "a/b:c/d#e.mp4", "a#b?c@d",
        "s3.txt?", "-", "a;b.mp4", "clip?monkey=1.mp4", "token=5.mp4", "key?.mp4", "C:/Users/joe@corp/clip.mp4",
        "photos:2024/me@home/clip.mp4", "h:8080/a@b/c", "/a/node_modules/@b/c", "new/x:/y", "x:/y",
    ])
    func pathsStayAsTheyAre(path: String) {
        #expect(RemoteAddress.shown(path) == path)
        #expect(!RemoteAddress.isMeant(path))
        let sentence = "no file “\(path)”; expected “a?b”, isn't it? See /a@b/c: \(path)."
        #expect(sentence.withoutSecrets == sentence)
    }

    /// What is a path but for the words that follow, or a password with a slash.
    @Test(arguments: [
        ("h.org/a.mp4?X-Amz-Signature=hush", "h.org/a.mp4"), ("h/a?Expires=1;KEY=hush", "h/a"),
        ("h/a#access_token=hush", "h/a"), ("a;x=1/b?sig=hush", "a;x=1/b"), ("http://h/a;sig=hush", "http://h/a"),
        ("http://h/a;api_key=hush/b.mp4?x=1", "http://h/a"), ("joe:hu/hush@h/m.json", "h/m.json"),
        ("/tmp/joe:hu/hush@h/a@2x.mp4", "/tmp/h/a@2x.mp4"),
    ])
    func whatIsSecretOfPathsIsLeftOut(text: String, shown: String) {
        #expect(RemoteAddress.shown(text) == shown)
        #expect("could not open \(text): no".withoutSecrets == "could not open \(shown): no")
        #expect("no file “\(text)”; expected one".withoutSecrets == "no file “\(shown)”; expected one")
    }

    @Test func signaturesInPaths() throws {
        let address = try #require(RemoteAddress("http://h/a.mp4;sig=hushhush"))
        #expect(address.shown == "http://h/a.mp4" && address.name == "a.mp4")
        #expect(address.cleaned("no hushhush at \(address.text)") == "no … at http://h/a.mp4")
    }

    @Test(arguments: [
        ("ftp://h/x", true), ("ftp:/x", true), ("new/ftp:/x", false), ("/a/x:/b", false), ("x:/b", false),
    ])
    func onlyABeginningIsAScheme(text: String, isMeant: Bool) { #expect(RemoteAddress.isMeant(text) == isMeant) }

    @Test func addressesWithoutSecretsStayAsTheyAre() {
        for text in ["s3://bucket/a@2x.mp4", "rclone://remote:bucket/a.mp4", "http://[::1]:80/a", "http://h:8080/a%3F"]
        {
            #expect(RemoteAddress.shown(text) == text)
            #expect(RemoteAddress(text)?.shown == text)
            #expect(RemoteAddress(text)?.flaw == nil)
        }
    }

    @Test(arguments: ["http:///a.mp4", "http://:80/a", "http://h:99999/a", "https://h:0/a", "http://h:x/a"])
    func whatCannotBeOfTheWeb(text: String) { #expect(RemoteAddress(text)?.flaw != nil) }

    @Test func names() throws {
        let long = try #require(RemoteAddress("http://h/" + String(repeating: "a", count: 300)))
        #expect(long.name == "input")
        let folder = try #require(RemoteAddress("s3://b/x/"))
        #expect(folder.shownInside("a.csv") == "s3://b/x/a.csv" && folder.inside("a.csv") == "s3://b/x/a.csv")
        #expect(RemoteAddress("s3://b/../x")?.leadsOut == true)
    }
}
