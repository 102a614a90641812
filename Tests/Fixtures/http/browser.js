// The interoperability cases that a page's fetch can make: over Connect, and over gRPC-Web in both forms.
//
// cases(address, key) returns a list of what was wrong.
async function cases(address, key) {
  const service = `${address}/assent.interop.v1.InteropService`;
  const json = (value) => new TextEncoder().encode(JSON.stringify(value));
  const faults = [];

  function expect(condition, what) {
    if (!condition) throw new Error(what);
  }

  function same(is, should, what) {
    expect(JSON.stringify(is) === JSON.stringify(should), `${what}: ${JSON.stringify(is)}`);
  }

  function call(method, type, body, headers = {}, options = {}) {
    return fetch(`${service}/${method}`, {
      method: "POST", body, headers: { "content-type": type, authorization: `Bearer ${key}`, ...headers }, ...options,
    });
  }

  // Flags, length, payload.
  function frame(payload, flags = 0) {
    const bytes = new Uint8Array(5 + payload.length);
    bytes[0] = flags;
    new DataView(bytes.buffer).setUint32(1, payload.length);
    bytes.set(payload, 5);
    return bytes;
  }

  function frames(bytes) {
    const found = [];
    for (let place = 0; place < bytes.length;) {
      const length = new DataView(bytes.buffer, bytes.byteOffset + place).getUint32(1);
      found.push({ flags: bytes[place], payload: bytes.subarray(place + 5, place + 5 + length) });
      place += 5 + length;
      expect(place <= bytes.length, "the last frame is whole");
    }
    return found;
  }

  const text = (bytes) => new TextDecoder().decode(bytes);
  const bytesOf = async (response) => new Uint8Array(await response.arrayBuffer());

  // gRPC-Web's last frame has the trailers, as HTTP/1.1 writes fields.
  function trailers(found) {
    const last = found.at(-1);
    expect(last.flags === 128, "the last frame has the trailers");
    return Object.fromEntries(
      text(last.payload).trim().split("\r\n").map((line) => line.split(/: ?(.*)/).slice(0, 2)));
  }

  function varint(value) {
    const bytes = [];
    for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
    return [...bytes, value];
  }

  // UnaryCallRequest with response_size; StreamingOutputCallRequest with response_parameters.
  const unary = (size) => new Uint8Array([8, ...varint(size)]);
  const stream = (sizes) => new Uint8Array(sizes.flatMap((size) => [10, 1 + varint(size).length, 8, ...varint(size)]));

  // The payload's length in an answer: field 1, and in it field 1.
  function payloadSize(bytes) {
    const read = (place) => {
      let value = 0, shift = 1, byte;
      do {
        byte = bytes[place++];
        value += (byte & 127) * shift;
        shift *= 128;
      } while (byte > 127);
      return [value, place];
    };
    if (bytes[0] !== 10) return 0;
    const [, inner] = read(1);
    return bytes[inner] === 10 ? read(inner + 1)[0] : 0;
  }

  const all = {
    async "Connect, JSON"() {
      const response = await call("UnaryCall", "application/json", json({ responseSize: 3 }));
      same([response.status, (await response.json()).payload], [200, { body: "AAAA" }], "the answer");
    },
    async "Connect, protobuf, large"() {
      const response = await call("UnaryCall", "application/proto", unary(3_000_000));
      same(payloadSize(await bytesOf(response)), 3_000_000, "the payload's size");
    },
    async "Connect, GET without a key"() {
      const response = await fetch(`${address}/grpc.health.v1.Health/Check?encoding=json&message=%7B%7D&connect=v1`);
      same([response.status, (await response.json()).status], [200, "SERVING"], "the answer");
    },
    async "Connect, error"() {
      const wish = { responseStatus: { code: 10, message: "Grüße ☺" } };
      const response = await call("UnaryCall", "application/json", json(wish));
      const error = await response.json();
      same([response.status, error.code, error.message], [409, "aborted", "Grüße ☺"], "the error");
    },
    async "Connect, timeout"() {
      const response = await call(
        "UnaryCall", "application/json", json({ sleepMs: 60000 }), { "connect-timeout-ms": "100" });
      same((await response.json()).code, "deadline_exceeded", "the code");
    },
    async "Connect, stream"() {
      const wish = { responseParameters: [{ size: 5 }, { size: 70000 }, { size: 0 }] };
      const response = await call("StreamingOutputCall", "application/connect+json", frame(json(wish)));
      const found = frames(await bytesOf(response));
      same(found.map((one) => one.flags), [0, 0, 0, 2], "three messages and the end");
      same(JSON.parse(text(found[1].payload)).payload.body.length, 93336, "the second message");
      same(JSON.parse(text(found[3].payload)).error, undefined, "the outcome");
    },
    async "Connect, stream that is abandoned"() {
      const giveUp = new AbortController();
      const wish = { responseParameters: Array(1000).fill({ size: 1000, intervalUs: 20000 }) };
      const response = await call(
        "StreamingOutputCall", "application/connect+json", frame(json(wish)), {}, { signal: giveUp.signal });
      const reader = response.body.getReader();
      expect((await reader.read()).value.length > 0, "it begins");
      giveUp.abort();
      const name = await reader.read().then(() => "more came", (error) => error.name);
      same(name, "AbortError", "the read");
    },
    async "Connect, no key"() {
      const response = await call("UnaryCall", "application/json", json({}), { authorization: "Bearer ak_other" });
      same([response.status, (await response.json()).code], [401, "unauthenticated"], "the refusal");
    },
    async "gRPC-Web"() {
      const response = await call("UnaryCall", "application/grpc-web+proto", frame(unary(314159)));
      const found = frames(await bytesOf(response));
      same(payloadSize(found[0].payload), 314159, "the payload's size");
      same(trailers(found)["grpc-status"], "0", "the outcome");
    },
    async "gRPC-Web, stream"() {
      const sizes = [31415, 9, 2653, 58979];
      const response = await call("StreamingOutputCall", "application/grpc-web+proto", frame(stream(sizes)));
      const found = frames(await bytesOf(response));
      same(found.slice(0, -1).map((one) => payloadSize(one.payload)), sizes, "the payloads' sizes");
      same(trailers(found)["grpc-status"], "0", "the outcome");
    },
    async "gRPC-Web, metadata"() {
      const response = await call(
        "EmptyCall", "application/grpc-web+proto", frame(new Uint8Array()),
        { "assent-echo-initial": "first", "assent-echo-trailing-bin": "qwCr" });
      same(response.headers.get("assent-echo-initial"), "first", "initial metadata");
      same(trailers(frames(await bytesOf(response)))["assent-echo-trailing-bin"], "qwCr", "trailing metadata");
    },
    async "gRPC-Web, error"() {
      const response = await call("UnaryCall", "application/grpc-web+proto", frame(new Uint8Array([26, 2, 8, 10])));
      const found = frames(await bytesOf(response));
      const status = found.length ? trailers(found)["grpc-status"] : response.headers.get("grpc-status");
      same([response.status, status], [200, "10"], "the outcome");
    },
    async "gRPC-Web, text"() {
      const body = btoa(String.fromCharCode(...frame(stream([3, 40000]))));
      const response = await call("StreamingOutputCall", "application/grpc-web-text", body);
      // Each part may be padded by itself.
      const parts = (await response.text()).match(/[^=]+={0,2}/g).map((part) => atob(part)).join("");
      const found = frames(Uint8Array.from(parts, (char) => char.charCodeAt(0)));
      same(found.slice(0, -1).map((one) => payloadSize(one.payload)), [3, 40000], "the payloads' sizes");
      same(trailers(found)["grpc-status"], "0", "the outcome");
    },
    async "many at once"() {
      const answers = await Promise.all([...Array(100).keys()].map(async (size) => {
        const response = await call("UnaryCall", "application/proto", unary(size));
        return payloadSize(await bytesOf(response));
      }));
      same(answers, [...Array(100).keys()], "each call has its own answer");
    },
  };
  for (const [name, run] of Object.entries(all)) {
    await run().catch((error) => faults.push(`${name}: ${error.message}`));
  }
  return faults;
}
