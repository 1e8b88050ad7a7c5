import HTTPExchange
import HTTPTypes
import Testing

@Suite("Addresses of browsers")
struct ClientAddressTests {
  @Test(
    "an address is read in every spelling of it",
    arguments: [
      ("127.0.0.1", "127.0.0.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::1", "0:0:0:0:0:0:0:1"),
      ("2001:DB8::1", "2001:db8:0:0:0:0:0:1"),
    ]
  )
  func reads(text: String, written: String) {
    #expect(IPAddress(text)?.description == written)
  }

  @Test(
    "nothing else is an address",
    arguments: [
      "", "localhost", "127.1", "127.0.0.1:80", "[::1]", "256.0.0.1", "1.2.3", "fe80::1%eth0",
      " 127.0.0.1", "0x7f.0.0.1", "127.0.0.1\u{0}",
    ]
  )
  func refuses(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(
    "hops are counted from the right, while they are trusted (S7)",
    arguments: [
      ("192.0.2.1", [], "192.0.2.1"), ("192.0.2.1", ["203.0.113.1"], "192.0.2.1"),
      ("10.0.0.1", ["203.0.113.1"], "203.0.113.1"), ("10.0.0.1", [], "10.0.0.1"),
      ("10.0.0.1", ["198.51.100.1, 203.0.113.1"], "203.0.113.1"),
      ("10.0.0.1", ["203.0.113.1, 10.0.0.2"], "203.0.113.1"),
      ("10.0.0.1", ["203.0.113.1", "10.0.0.2"], "203.0.113.1"),
      ("10.0.0.1", ["198.51.100.1, evil, 10.0.0.2"], "10.0.0.2"),
      ("10.0.0.1", ["203.0.113.1:4711"], "203.0.113.1"), ("10.0.0.1", [""], "10.0.0.1"),
      ("10.0.0.1", ["[2001:db8::1]:4711"], "2001:db8:0:0:0:0:0:1"),
      ("10.0.0.1", ["[2001:db8::1]"], "2001:db8:0:0:0:0:0:1"),
      ("10.0.0.1", ["2001:db8::1 ,\t10.0.0.2 "], "2001:db8:0:0:0:0:0:1"),
      // A letter that makes one character with the comma after it.
      ("10.0.0.1", ["9.9.9.9:1\u{600}, 203.0.113.1"], "203.0.113.1"),
      ("10.0.0.1", ["[2001:db8::9]\u{600}, 203.0.113.1"], "203.0.113.1"),
      ("10.0.0.1", ["9.9.9.9:x"], "10.0.0.1"), ("10.0.0.1", ["9.9.9.9:"], "10.0.0.1"),
      ("10.0.0.1", ["[2001:db8::1]4711"], "10.0.0.1"), ("10.0.0.1", ["[2001:db8::1"], "10.0.0.1"),
      ("10.0.0.1", ["203. 0.113.1"], "10.0.0.1"),
    ]
  )
  func forwarded(peer: String, values: [String], expected: String) throws {
    let name = try #require(HTTPField.Name("X-Forwarded-For"))
    var request = Request(method: .get, target: "/", peerAddress: peer)
    for value in values { request.headerFields.append(HTTPField(name: name, value: value)) }
    let proxies = ["10.0.0.1", "10.0.0.2"].compactMap { IPAddress($0) }
    #expect(request.clientAddress(trusting: proxies)?.description == expected)
  }

  @Test("the scheme is taken from a trusted proxy, and from nobody else (S7)")
  func scheme() throws {
    let proxies = [try #require(IPAddress("10.0.0.1"))]
    for (peer, value, scheme) in [
      ("10.0.0.1", "https", "https"), ("10.0.0.1", "HTTP", "http"), ("10.0.0.2", "https", nil),
      (nil, "https", nil), ("10.0.0.1", "gopher", nil), ("10.0.0.1", nil, nil),
    ] as [(String?, String?, String?)] {
      var request = Request(method: .get, target: "/", peerAddress: peer)
      if let value {
        request.headerFields[try #require(HTTPField.Name("X-Forwarded-Proto"))] = value
      }
      #expect(request.forwardedScheme(trusting: proxies) == scheme)
    }
  }

  @Test(
    "the schemes of several proxies are counted from the right, while they are trusted (S7)",
    arguments: [
      (["192.0.2.1, 10.0.0.2"], ["https, http"], "https"),
      (["192.0.2.1", "10.0.0.2"], ["https", "http"], "https"),
      (["192.0.2.1, 10.0.0.2"], ["http ,\tHTTPS "], "http"),
      // Each proxy gave the scheme that it was asked by, and the browser gave whatever it liked.
      (["192.0.2.1, 10.0.0.2"], ["http, https, http"], "https"),
      (["192.0.2.1"], ["http, https"], "https"), ([], ["https, http"], "http"),
      (["10.0.0.2, 192.0.2.1"], ["https, http, http"], "http"),
      // A proxy that passes on the scheme that the one before it was asked by.
      (["192.0.2.1, 10.0.0.2"], ["https"], "https"),
      (["192.0.2.1, 10.0.0.2"], ["gopher, https"], "https"),
      (["192.0.2.1, 10.0.0.2"], ["https, gopher"], nil), (["10.0.0.2"], [","], nil),
      // A letter that makes one character with the comma after it.
      (["192.0.2.1"], ["http\u{600}, https"], "https"),
    ] as [([String], [String], String?)]
  )
  func schemes(addresses: [String], values: [String], expected: String?) throws {
    let fields = [
      (try #require(HTTPField.Name("X-Forwarded-For")), addresses),
      (try #require(HTTPField.Name("X-Forwarded-Proto")), values),
    ]
    var request = Request(method: .get, target: "/", peerAddress: "10.0.0.1")
    for (name, values) in fields {
      for value in values { request.headerFields.append(HTTPField(name: name, value: value)) }
    }
    let proxies = ["10.0.0.1", "10.0.0.2"].compactMap { IPAddress($0) }
    #expect(request.forwardedScheme(trusting: proxies) == expected)
  }
}
