extension RawRequest {
  static let all = lines + targets + names + values + hosts + lengths + codings + chunks + connections + others

  private static let next = get()

  /// The first line (sections 2.2 and 3).
  static let lines: [RawRequest] = [
    good("3", "GET", get(), "GET / "),
    good("3", "a method of one's own", "PURGE / HTTP/1.1\r\nhost: a\r\n\r\n", "PURGE / "),
    good("3.1", "methods in small letters are other methods", "get / HTTP/1.1\r\nhost: a\r\n\r\n", "get / "),
    good("2.2", "one empty line before the request", "\r\n" + next, "GET / "),
    good(
      "2.2", "an empty line after a body", post("content-length: 1", body: "x") + "\r\n" + next, "POST /p x", "GET / "),
    bad("2.2", "two empty lines before the request", "\r\n\r\n" + next),
    bad("2.2", "an LF alone before the request", "\n" + next),
    bad("2.2", "a space before the request", " GET / HTTP/1.1\r\nhost: a\r\n\r\n"),
    bad("2.2", "the line ends with LF alone", "GET / HTTP/1.1\nhost: a\r\n\r\n"),
    bad("2.2", "a CR in the line", "GET /\r HTTP/1.1\r\nhost: a\r\n\r\n"),
    bad("2.2", "a CR before the line's end", "GET / HTTP/1.1\r\r\nhost: a\r\n\r\n"),
    bad("2.2", "NUL in the line", "GET /\u{0} HTTP/1.1\r\nhost: a\r\n\r\n"),
    bad("3", "two spaces before the address", "GET  / HTTP/1.1\r\nhost: a\r\n\r\n"),
    bad("3", "two spaces before the version", "GET /  HTTP/1.1\r\nhost: a\r\n\r\n"),
    bad("3", "a tabulator for a space", "GET\t/ HTTP/1.1\r\nhost: a\r\n\r\n"),
    bad("3", "a space behind the version", "GET / HTTP/1.1 \r\nhost: a\r\n\r\n"),
    bad("3", "a word too many", "GET / HTTP/1.1 x\r\nhost: a\r\n\r\n"),
    bad("3", "no version", "GET /\r\n\r\n"),
    bad("3", "no address", "GET HTTP/1.1\r\nhost: a\r\n\r\n"),
    bad("3.1", "no method", " / HTTP/1.1\r\nhost: a\r\n\r\n"),
    bad("3.1", "a method with a colon", "GE:T / HTTP/1.1\r\nhost: a\r\n\r\n"),
    bad("3.1", "a method with a slash", "GE/T / HTTP/1.1\r\nhost: a\r\n\r\n"),
    bad("3.1", "a method of 33 letters", String(repeating: "A", count: 33) + " / HTTP/1.1\r\nhost: a\r\n\r\n"),
    bad("3.1", "a method that is not ASCII", "G\u{E4}T / HTTP/1.1\r\nhost: a\r\n\r\n"),
    bad("2.3", "a version in small letters", "GET / http/1.1\r\nhost: a\r\n\r\n"),
    bad("2.3", "a version of one number", "GET / HTTP/1\r\nhost: a\r\n\r\n"),
    bad("2.3", "a version of many digits", "GET / HTTP/1.10\r\nhost: a\r\n\r\n"),
    bad("2.3", "a sign in the version", "GET / HTTP/+1.1\r\nhost: a\r\n\r\n"),
    bad("2.3", "another protocol's name", "GET / ICY/1.1\r\nhost: a\r\n\r\n"),
    bad("2.3", "version 2.0 in this form", "GET / HTTP/2.0\r\nhost: a\r\n\r\n", 505),
    bad("2.3", "version 0.9", "GET / HTTP/0.9\r\nhost: a\r\n\r\n", 505),
    bad("2.3", "version 1.2", "GET / HTTP/1.2\r\nhost: a\r\n\r\n", 505),
    bad("3", "a response", "HTTP/1.1 200 OK\r\nhost: a\r\n\r\n"),
    open("3", "half a line", "GET / HT"),
    open("2.2", "a line without the LF of its end", "GET / HTTP/1.1\r"),
    open("2.1", "a head without its end", "GET / HTTP/1.1\r\nhost: a\r\n"),
    bad("3", "an address of 8 KiB and more", "GET /" + String(repeating: "a", count: 8200) + " HTTP/1.1\r\n", 414),
    bad("3", "a first line without an end", "GET /" + String(repeating: "a", count: 20000), 414),
  ]

  /// The request's address (section 3.2).
  static let targets: [RawRequest] = [
    good("3.2.1", "a path and a query", get(target: "/a/b?c=d&e"), "GET /a/b?c=d&e "),
    good("3.2.1", "escapes", get(target: "/a%2Fb%C3%A4"), "GET /a%2Fb%C3%A4 "),
    good("3.2.2", "a whole address", get(target: "http://b/x?y"), "GET /x?y "),
    good("3.2.2", "a whole address in capitals", get(target: "HTTP://b/x"), "GET /x "),
    good("3.2.2", "a whole address without a path", get(target: "http://b"), "GET / "),
    good("3.2.2", "a whole address without a path, with a query", get(target: "http://b?y"), "GET /?y "),
    good("3.2.4", "about the server", "OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n", "OPTIONS * "),
    bad("3.2.4", "GET of everything", get(target: "*")),
    bad("3.2.3", "a tunnel", "CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n"),
    bad("3.2", "a path without a slash", get(target: "a")),
    bad("3.2.2", "another scheme", get(target: "ftp://b/x")),
    bad("3.2.2", "a scheme and no host", get(target: "http:///x")),
    bad("3.2", "a fragment", get(target: "/a#b")),
    bad("3.2", "a backslash", get(target: "/a\\b")),
    bad("3.2", "a quotation mark", get(target: "/a\"b")),
    bad("3.2", "an angle bracket", get(target: "/<a>")),
    bad("3.2", "a letter that is not ASCII", get(target: "/\u{E4}")),
    bad("3.2", "DEL", get(target: "/\u{7F}")),
    bad("RFC 3986, 2.1", "a percent sign alone", get(target: "/%")),
    bad("RFC 3986, 2.1", "half an escape", get(target: "/%4")),
    bad("RFC 3986, 2.1", "an escape that is no number", get(target: "/%zz")),
  ]

  /// Names of headers (section 5.1).
  static let names: [RawRequest] = [
    good("5", "a header", get("x-a: b"), "GET / "),
    good("5.1", "capitals in a name", get("X-A: b"), "GET / "),
    good("RFC 9110, 5.6.2", "all characters of a token", get("!#$%&'*+-.^_`|~09az: b"), "GET / "),
    bad("5.1", "an empty name", get(": x")),
    bad(
      "5.1", "an empty name before the head's end", "GET / HTTP/1.1\r\nhost: a\r\n: x\r\n\r\nGET /x HTTP/1.1\r\n\r\n"),
    bad("5.1", "a space before the colon", get("content-length : 5")),
    bad("5.1", "a tabulator before the colon", get("content-length\t: 5")),
    bad("5.1", "a space in a name", get("x a: b")),
    bad("5", "no colon", get("x-a")),
    bad("5.1", "NUL in a name", get("x\u{0}a: b")),
    bad("5.1", "a parenthesis in a name", get("x(a): b")),
    bad("5.1", "a name that is not ASCII", get("x-\u{E4}: b")),
    bad("5.1", "a CR in a name", get("x\ra: b")),
    bad("5.2", "a value on two lines", get("x-a: b", " c")),
    bad("5.2", "a value on two lines with a tabulator", get("x-a: b", "\tc")),
    bad("2.2", "the first header begins with a space", "GET / HTTP/1.1\r\n host: a\r\n\r\n"),
    bad("2.2", "a header ends with LF alone", "GET / HTTP/1.1\r\nhost: a\nx: y\r\n\r\n"),
    bad("2.2", "the head ends with LF alone", "GET / HTTP/1.1\r\nhost: a\r\n\n"),
    bad("2.2", "the head ends with CR alone", "GET / HTTP/1.1\r\nhost: a\r\n\rGET / HTTP/1.1\r\n\r\n"),
    bad("RFC 6585, 5", "101 headers", get(String(repeating: "x: y\r\n", count: 99) + "x: y"), 431),
    bad("RFC 6585, 5", "a header of 16 KiB", get("x: " + String(repeating: "y", count: 17000)), 431),
    bad(
      "RFC 6585, 5", "a head of 16 KiB",
      get(String(repeating: "x: " + String(repeating: "y", count: 999) + "\r\n", count: 20)), 431),
  ]

  /// Values of headers (RFC 9110, section 5.5).
  static let values: [RawRequest] = [
    good("RFC 9110, 5.5", "an empty value", get("x-a:"), "GET / "),
    good("5.1", "no space behind the colon", get("x-a:b"), "GET / "),
    good("5.1", "blanks around a value", get("x-a: \t b \t "), "GET / "),
    good("RFC 9110, 5.5", "a tabulator in a value", get("x-a: b\tc"), "GET / "),
    good("RFC 9110, 5.5", "a byte that is not ASCII", get("x-a: \u{E4}"), "GET / "),
    bad("RFC 9110, 5.5", "NUL in a value", get("x-a: b\u{0}c")),
    bad("RFC 9110, 5.5", "NUL behind a key", get("authorization: Bearer k\u{0}junk")),
    bad("RFC 9110, 5.5", "a CR in a value", get("x-a: b\rc")),
    bad("RFC 9110, 5.5", "an escape character in a value", get("x-a: \u{1B}[31m")),
    bad("RFC 9110, 5.5", "DEL in a value", get("x-a: \u{7F}")),
    bad("RFC 9110, 5.3", "two keys", get("authorization: Bearer a", "authorization: Bearer b")),
    bad("RFC 9110, 5.3", "two content types", post("content-type: a/b", "content-type: c/d", body: "")),
    bad("RFC 9110, 5.3", "two idempotency keys", get("idempotency-key: a", "Idempotency-Key: a")),
    bad("RFC 9110, 5.3", "two deadlines", get("connect-timeout-ms: 1", "connect-timeout-ms: 2")),
    good("RFC 9110, 5.3", "two headers that are lists", get("accept: a/b", "accept: c/d"), "GET / "),
  ]

  /// The host (section 3.2 and RFC 9110, section 7.2).
  static let hosts: [RawRequest] = [
    good("3.2", "a host and a port", "GET / HTTP/1.1\r\nhost: a.example:8080\r\n\r\n", "GET / "),
    good("3.2", "an address of IPv6", "GET / HTTP/1.1\r\nhost: [::1]:8080\r\n\r\n", "GET / "),
    good("3.2", "an empty host", "GET / HTTP/1.1\r\nhost:\r\n\r\n", "GET / "),
    good("3.2", "no host in HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", "GET / "),
    bad("3.2", "no host", "GET / HTTP/1.1\r\n\r\n"),
    bad("3.2", "two hosts", "GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n"),
    bad("3.2", "two equal hosts", "GET / HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n"),
    bad("3.2", "a space in the host", "GET / HTTP/1.1\r\nhost: a b\r\n\r\n"),
    bad("3.2", "a path in the host", "GET / HTTP/1.1\r\nhost: a/b\r\n\r\n"),
    bad("3.2", "a user in the host", "GET / HTTP/1.1\r\nhost: u@a\r\n\r\n"),
    bad("3.2", "a comma and a space in the host", "GET / HTTP/1.1\r\nhost: a, b\r\n\r\n"),
    bad("3.2.2", "a user in a whole address", get(target: "http://u@b/")),
    bad("3.2.2", "a user in a whole address of HTTP/1.0", "GET http://u@b/ HTTP/1.0\r\n\r\n"),
  ]

  /// Bodies of a stated length (sections 6.2 and 6.3).
  static let lengths: [RawRequest] = [
    good("6.2", "a length", post("content-length: 3", body: "abc"), "POST /p abc"),
    good("6.2", "a length of 0", post("content-length: 0", body: ""), "POST /p "),
    good("6.2", "zeros before a length", post("content-length: 0003", body: "abc"), "POST /p abc"),
    good("6.3", "no length is no body", post(body: "") + next, "POST /p ", "GET / "),
    good("6.3", "GET with a body", get("content-length: 1") + "x" + next, "GET / x", "GET / "),
    good("9.3.2", "two requests at once", post("content-length: 3", body: "abc") + next, "POST /p abc", "GET / "),
    bad("6.3", "two lengths", post("content-length: 3", "content-length: 4", body: "abcd")),
    bad("6.3", "two equal lengths", post("content-length: 3", "content-length: 3", body: "abc")),
    bad("6.3", "a list of lengths", post("content-length: 3, 3", body: "abc")),
    bad("6.2", "a plus sign", post("content-length: +3", body: "abc")),
    bad("6.2", "a minus sign", post("content-length: -1", body: "")),
    bad("6.2", "a hexadecimal length", post("content-length: 0x3", body: "abc")),
    bad("6.2", "a fraction", post("content-length: 3.0", body: "abc")),
    bad("6.2", "an underscore", post("content-length: 1_0", body: "0123456789")),
    bad("6.2", "two numbers", post("content-length: 3 4", body: "abc")),
    bad("6.2", "NUL in a length", post("content-length: 18\u{0}09", body: "abc")),
    bad("6.2", "no digits", post("content-length:", body: "abc")),
    bad("6.2", "a comma", post("content-length: ,", body: "abc")),
    bad("6.2", "digits that are not ASCII", post("content-length: \u{B3}", body: "abc")),
    bad("6.2", "a length beyond all numbers", post("content-length: 99999999999999999999", body: ""), 413),
    open("6.3", "a body that is too short", post("content-length: 3", body: "ab")),
  ]

  /// Codings of bodies (sections 6.1 and 7).
  static let codings: [RawRequest] = [
    good("7", "capitals", post("Transfer-Encoding: CHUNKED", body: "0\r\n\r\n"), "POST /p "),
    bad("6.3", "chunks and a length", post("transfer-encoding: chunked", "content-length: 3", body: "0\r\n\r\n")),
    bad("6.3", "a length and chunks", post("content-length: 3", "transfer-encoding: chunked", body: "0\r\n\r\n")),
    bad("6.1", "chunks twice", post("transfer-encoding: chunked, chunked", body: "0\r\n\r\n"), 501),
    bad("6.1", "two codings on two lines", post("transfer-encoding: gzip", "transfer-encoding: chunked", body: "")),
    bad("6.1", "another coding", post("transfer-encoding: gzip", body: ""), 501),
    bad("6.1", "another coding before chunks", post("transfer-encoding: gzip, chunked", body: ""), 501),
    bad("6.1", "another coding behind chunks", post("transfer-encoding: chunked, gzip", body: ""), 501),
    bad("6.1", "no coding", post("transfer-encoding: identity", body: ""), 501),
    bad("6.1", "an empty coding", post("transfer-encoding:", body: ""), 501),
    bad("6.1", "chunked in quotes", post("transfer-encoding: \"chunked\"", body: ""), 501),
    bad("6.1", "a word before chunked", post("transfer-encoding: xchunked", body: ""), 501),
    bad("6.1", "a parameter", post("transfer-encoding: chunked;q=1", body: ""), 501),
    bad("6.1", "NUL behind chunked", post("transfer-encoding: chunked\u{0}x", body: "")),
    bad("6.1", "a vertical tabulator before chunked", post("transfer-encoding: \u{B}chunked", body: "")),
    bad("6.1", "a space before the colon", post("transfer-encoding : chunked", body: "")),
    bad("6.1", "chunks in HTTP/1.0", "POST / HTTP/1.0\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"),
  ]

  /// Chunks (section 7.1).
  static let chunks: [RawRequest] = [
    good("7.1", "one chunk", chunked("3\r\nabc\r\n0\r\n\r\n"), "POST /p abc"),
    good("7.1", "two chunks", chunked("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), "POST /p abcde"),
    good(
      "7.1", "hexadecimal sizes", chunked("a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n"),
      "POST /p 01234567890123456789"),
    good("7.1", "zeros before a size", chunked("0003\r\nabc\r\n000\r\n\r\n"), "POST /p abc"),
    good("7.1", "a line's end in a chunk", chunked("4\r\na\r\nb\r\n0\r\n\r\n"), "POST /p a\r\nb"),
    good("7.1.1", "an extension", chunked("3;a=b\r\nabc\r\n0;c\r\n\r\n"), "POST /p abc"),
    good("7.1.1", "an extension in quotes", chunked("3;a=\"b c\"\r\nabc\r\n0\r\n\r\n"), "POST /p abc"),
    good("7.1.1", "a space before an extension", chunked("3 ;a\r\nabc\r\n0\r\n\r\n"), "POST /p abc"),
    good("7.1.2", "a trailer", chunked("0\r\nx-a: b\r\n\r\n") + next, "POST /p ", "GET / "),
    good("7.1", "another request behind the chunks", chunked("1\r\nx\r\n0\r\n\r\n") + next, "POST /p x", "GET / "),
    bad("7.1", "a size with a sign", chunked("+3\r\nabc\r\n0\r\n\r\n")),
    bad("7.1", "a size with 0x", chunked("0x3\r\nabc\r\n0\r\n\r\n")),
    bad("7.1", "a size with an underscore", chunked("1_0\r\n0123456789abcdef\r\n0\r\n\r\n")),
    bad("7.1", "no size", chunked("\r\nabc\r\n0\r\n\r\n")),
    bad("7.1", "an extension and no size", chunked(";a\r\nabc\r\n0\r\n\r\n")),
    bad("7.1", "a space before a size", chunked(" 3\r\nabc\r\n0\r\n\r\n")),
    bad("7.1", "a space behind a size", chunked("3 \r\nabc\r\n0\r\n\r\n")),
    bad("7.1", "a size of nine digits", chunked("100000000\r\n")),
    bad("7.1", "a size of 16 digits that wraps to 3", chunked("10000000000000003\r\nabc\r\n")),
    bad("7.1", "LF alone behind a size", chunked("3\nabc\r\n0\r\n\r\n")),
    bad("7.1", "CR alone behind a size", chunked("3\rabc\r\n0\r\n\r\n")),
    bad("7.1", "LF alone behind a chunk", chunked("3\r\nabc\n0\r\n\r\n")),
    bad("7.1", "CR alone behind a chunk", chunked("3\r\nabc\r0\r\n\r\n")),
    bad("7.1", "a chunk that is longer than its size", chunked("3\r\nabcd\r\n0\r\n\r\n")),
    bad("7.1", "a chunk that is shorter than its size", chunked("4\r\nabc\r\n0\r\n\r\n")),
    bad("7.1", "LF alone at the end", chunked("0\r\n\n")),
    bad("7.1.1", "LF in an extension", chunked("3;a\nb\r\nabc\r\n0\r\n\r\n")),
    bad("7.1.1", "NUL in an extension", chunked("3;a\u{0}\r\nabc\r\n0\r\n\r\n")),
    bad(
      "7.1.1", "an extension of 300 bytes", chunked("3;" + String(repeating: "a", count: 300) + "\r\nabc\r\n0\r\n\r\n")),
    bad("7.1.2", "a trailer without a colon", chunked("0\r\nx\r\n\r\n")),
    bad("7.1.2", "a trailer with a length", chunked("0\r\ncontent-length: 3\r\n\r\nabc")),
    bad("7.1.2", "a trailer with a host", chunked("0\r\nhost: b\r\n\r\n")),
    bad("7.1.2", "a trailer with a key", chunked("0\r\nauthorization: Bearer b\r\n\r\n")),
    bad(
      "7.1.2", "a trailer that is too long", chunked("0\r\nx: " + String(repeating: "y", count: 9000) + "\r\n\r\n"), 431
    ),
    open("7.1", "no last chunk", chunked("3\r\nabc\r\n")),
    open("7.1", "no end behind the last chunk", chunked("0\r\n")),
  ]

  /// The connection (section 9) and expectations (RFC 9110, section 10.1.1).
  static let connections: [RawRequest] = [
    good("9.3", "close", get("connection: close"), "GET / "),
    good("9.3", "several options", get("connection: keep-alive, x-a", "x-a: b"), "GET / "),
    good("9.8", "an upgrade that is not taken", get("connection: upgrade", "upgrade: h2c"), "GET / "),
    good("RFC 9110, 10.1.1", "100-continue", post("content-length: 1", "expect: 100-continue", body: "x"), "POST /p x"),
    bad("RFC 9110, 10.1.1", "another expectation", post("content-length: 1", "expect: 200-ok", body: "x"), 417),
    bad("RFC 9110, 10.1.1", "two expectations", get("expect: 100-continue", "expect: 100-continue")),
  ]

  /// What is no request at all.
  static let others: [RawRequest] = [
    open("2.1", "nothing", ""),
    bad("2.2", "a handshake of TLS", "\u{16}\u{3}\u{1}\u{0}\u{5}hello\r\n"),
    bad("2.3", "SSH", "SSH-2.0-OpenSSH_9.2\r\n"),
    bad("2.2", "NUL", "\u{0}\u{0}\u{0}\r\n"),
    bad("3", "what follows a refusal is not read", get("a b: c") + next),
  ]
}
