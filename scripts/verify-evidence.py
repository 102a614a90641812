#!/usr/bin/env python3
"""scripts/verify-evidence.py BUNDLE PUBLIC-KEYS: checks a bundle of evidence offline, as docs/evidence.md says.

It shares no code with Assent and needs nothing but Python. PUBLIC-KEYS has one key a line, 64 hexadecimal digits each.
"""
import base64, hashlib, json, re, struct, sys, time

P = 2**255 - 19; D = -121665 * pow(121666, P - 2, P) % P; L = 2**252 + 27742317777372353535851937790883648493
sha = lambda *parts: hashlib.sha256(b"".join(parts)).digest()

def add(a, b):  # points of Ed25519 in extended coordinates, RFC 8032
    A, B = (a[1]-a[0])*(b[1]-b[0]) % P, (a[1]+a[0])*(b[1]+b[0]) % P
    C, E = 2*a[3]*b[3]*D % P, 2*a[2]*b[2] % P
    e, f, g, h = B-A, E-C, E+C, B+A
    return e*f % P, g*h % P, f*g % P, e*h % P

def times(n, point):
    sum = (0, 1, 1, 0)
    while n:
        if n & 1: sum = add(sum, point)
        point, n = add(point, point), n >> 1
    return sum

def point(data):
    y = int.from_bytes(data, "little"); sign, y = y >> 255, y & (1 << 255) - 1
    x2 = (y*y - 1) * pow(D*y*y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x*x - x2) % P: x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x*x - x2) % P or (x == 0 and sign): raise ValueError("no point")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x*y % P

BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))

def signed(key, signature, text):
    try: A, R = point(key), point(signature[:32])
    except ValueError: return False
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= L: return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % L
    a, b = times(s, BASE), add(R, times(k, A))
    return (a[0]*b[2] - b[0]*a[2]) % P == 0 and (a[1]*b[2] - b[1]*a[2]) % P == 0

def b64(text, size=None):
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text or size not in (None, len(data)): raise ValueError("base64")
    return data

def enc(v):  # values in one form: a tag, lengths in front
    if v is None: return b"\0"
    if isinstance(v, int): return b"\1" + struct.pack(">q", v)
    if isinstance(v, dict) and "real" in v:
        real = struct.unpack(">d", bytes.fromhex(v["real"]))[0]  # whole numbers are hashed as integers
        return enc(int(real)) if abs(real) < 2**53 and real.is_integer() else b"\2" + struct.pack(">d", real)
    if isinstance(v, dict): return enc(b64(v["bytes"]))
    data = v.encode() if isinstance(v, str) else v
    return (b"\3" if isinstance(v, str) else b"\4") + struct.pack(">I", len(data)) + data

def encs(*values): return b"".join(map(enc, values))

def climb(leaf, index, size, proof):  # RFC 9162, 2.1.3.2
    fn, sn, r = index, size - 1, leaf
    if not 0 <= index < size: return None
    for p in proof:
        if sn == 0: return None
        if fn & 1 or fn == sn:
            r = sha(b"\1", p, r)
            while fn and not fn & 1: fn, sn = fn >> 1, sn >> 1
        else: r = sha(b"\1", r, p)
        fn, sn = fn >> 1, sn >> 1
    return r if sn == 0 else None

def consistent(old, a, new, b, proof):  # RFC 9162, 2.1.4.2
    if old >= new: return old == new and a == b and not proof
    if old == 0: return not proof and a == sha()
    proof = ([a] if old & (old - 1) == 0 else []) + proof
    fn, sn = old - 1, new - 1
    while fn & 1: fn, sn = fn >> 1, sn >> 1
    if not proof: return False
    fr = sr = proof[0]
    for c in proof[1:]:
        if sn == 0: return False
        if fn & 1 or fn == sn:
            fr, sr = sha(b"\1", c, fr), sha(b"\1", c, sr)
            while fn and not fn & 1: fn, sn = fn >> 1, sn >> 1
        else: sr = sha(b"\1", sr, c)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and fr == a and sr == b

def checkpoint(note):
    lines = note.split("\n")
    name, size, root, blank, *signatures = lines[:-1]
    parsed = [re.fullmatch("— ([^ +]+) ([^ ]+)", s).groups() for s in signatures]
    parsed = [(n, b64(s)) for n, s in parsed]
    if (lines[-1] or blank or not parsed or len(parsed) > 64 or re.search(r"[\s+]", name) or not name or min(
            len(s) for n, s in parsed) < 5 or str(int(size)) != size or not 0 <= int(size) < 2**63
            or re.search("[\0-\x09\x0b-\x1f]", note) or len(note.encode()) > 65536): raise ValueError("checkpoint")
    return name, int(size), b64(root, 32), "".join(l + "\n" for l in lines[:3]).encode(), parsed

def head(note, log, keys, say, *place, kind=""):
    try: name, size, root, text, signatures = checkpoint(note)
    except (ValueError, AttributeError): return say("checkpoint", *place)
    if name != log["origin"] + kind or not log["origin"].endswith("/" + log["tenant"]): return say("origin", *place)
    mine = [(k, s[4:]) for n, s in signatures for k in keys if n == name and s[:4] == sha(n.encode(), b"\n\1", k)[:4]]
    return (size, root) if mine and all(signed(k, s, text) for k, s in mine) else say("signature", *place)

def chain(e, before, tenant):
    return sha(before + encs(tenant, e["sequence"], e["stream"], e["type"], e["payload"], e["at_ms"], e["changes"]))

def change(r):  # what an event commits to for a row: table, key, hash
    data = encs("assent row 1", r["table"])
    for columns in (r["key"], r["columns"]): data += enc(len(columns)) + b"".join(encs(n, v) for n, v in columns)
    return encs(r["table"], b"".join(enc(v) for n, v in r["key"]), sha(data))

def shown(log):  # the hash of what the service says that it handed out
    numbers = [e["sequence"] for e in log["events"]]
    return sha(encs("assent shown 2", log["shown_at_ms"], len(numbers), *numbers, len(log["rows"])),
               *(enc(r["event"]) + change(r) for r in log["rows"]), enc(len(log["commitments"])),
               *(encs(c["id"], c["subject"], c["label"], bytes.fromhex(c["digest"]), int(c["salt"] is not None))
                 for c in log["commitments"]), enc(len(log["contents"])),
               *(encs(c["name"], bytes.fromhex(c["digest"])) for c in log["contents"]))

def plain(text):  # whoever made a bundle must not end the line, or move a terminal's cursor, and add a verdict
    return "".join(c if " " <= c <= "~" else f"\\u{{{ord(c):X}}}" for c in text)

def check(log, keys, problems, counts, logs):
    def say(kind, *place): problems.append(plain(f"{kind}: {', '.join([log['origin'], *place])}"))
    if not (top := head(log["checkpoint"], log, keys, say)): return
    if said := head(log["shown"], log, keys, say, "shown", kind="#shown"):
        if said != (top[0], shown(log)): say("incomplete", "shown")
        else: logs.append((log["origin"], top[0], log["shown_at_ms"]))
    for i, e in enumerate(log["earlier"], 1):
        if (old := head(e["checkpoint"], log, keys, say, f"earlier {i}")) and not consistent(*old, *top, e["proof"]):
            say("consistency", f"earlier {i}")
    events, record, tenant = {}, [], log["tenant"]
    for e in log["events"]:
        n = e["sequence"]; place = f"event {n}"
        leaf = sha(b"\0", encs("assent event 1", tenant, n, e["stream"], e["type"], e["payload"], e["at_ms"],
                               e["changes"], e["chain"]))
        if n in events: say("duplicate", place)
        elif climb(leaf, n - 1, top[0], e["proof"]) != top[1]: say("inclusion", place)
        else: events[n] = e; record.append(e["payload"])
    for n, e in sorted(events.items()):
        before = sha(b"assent events") if n == 1 else events.get(n - 1, {}).get("chain")
        if before and chain(e, before, tenant) != e["chain"]: say("chain", f"event {n}")
    rows, owned = 0, set()
    for i, r in enumerate(log["rows"], 1):
        if r["event"] not in events or change(r) not in entries(events[r["event"]]["changes"]): say("row", f"row {i}")
        else:
            rows += 1; owned.add(owner(r))
            record += [b64(v["bytes"]) for n, v in r["columns"] if isinstance(v, dict) and "bytes" in v]
    for i, r in enumerate(log["rows"], 1):
        if r["table"] == "storage_lists" and not whole(r, log["rows"]): say("list", f"row {i}")
        if r["table"] == "records" and not versioned(r, log["rows"]): say("version", f"row {i}")
    known = lambda digest: any(bytes.fromhex(digest) in r or digest.encode() in r for r in record)
    erased = lambda s: any(erasure(e) == s for e in events.values())
    gone = opened = contents = 0
    for c in log["commitments"]:
        place = f"commitment {c['id']}"
        if not known(c["digest"]): say("unlinked", place)
        elif c["salt"] is None and not (
                erased(c["subject"]) and (c["id"], c["subject"], c["label"], c["digest"]) in owned):
            say("unopened", place)
        elif c["salt"] is not None and sha(encs("assent commitment 1", c["salt"], c["label"], c["value"])
                                           ).hex() != c["digest"]: say("commitment", place)
        else:
            opened += 1; gone += c["salt"] is None
            # What is committed to may be the hash of something larger.
            if c["salt"] is not None and len(c["value"]) == 32: record.append(c["value"])
    for c in log["contents"]:
        if sha(c["bytes"]).hex() != c["digest"]: say("content", f"content {c['name']}")
        elif not known(c["digest"]): say("unlinked", f"content {c['name']}")
        else: contents += 1
    erasures = sum(erasure(e) is not None for e in events.values())
    for i, n in enumerate([len(events), rows, opened, contents, gone, erasures]): counts[i] += n

def entries(data):  # what the rows are after an event that changed them: table, key, hash
    found, parts, place = [], [], 0
    try:
        while place < len(data):
            tag = data[place]; place += 1
            size = {0: 0, 1: 8, 2: 8}.get(tag, 4 + int.from_bytes(data[place:place + 4], "big"))
            start, place = place - 1, place + size
            if tag > 4 or place > len(data): return []
            parts.append(data[start:place])
            if len(parts) == 4: found.append(parts[0] + parts[1] + parts[3]); parts = []  # without the hash before
    except IndexError: return []
    return found if not parts else []

def whole(end, rows):  # whether all entries of a list are there, as they were added
    values = dict(end["key"] + end["columns"]); name, count, chain = (values.get(n) for n in ("list", "count", "chain"))
    if not isinstance(name, str) or "/" not in name or type(count) is not int: return False
    table, _, owner = name.partition("/"); entries, found = {}, sha(b"assent list")
    for r in rows:
        if r["table"] != table or len(r["key"]) != 2 or r["key"][0][1] != owner: continue
        number, body = r["key"][1][1], dict(r["key"] + r["columns"]).get("body")
        if type(number) is not int or number in entries: return False
        if not isinstance(body, dict) or "bytes" not in body: return False
        entries[number] = b64(body["bytes"])
    for number in range(1, len(entries) + 1):
        if number not in entries: return False
        found = sha(found + encs(number, entries[number]))
    return count == len(entries) and isinstance(chain, dict) and chain.get("bytes") == base64.b64encode(found).decode()

def versioned(record, rows):  # whether the version of a record is the one that is shown with it
    wanted = dict(record["key"] + record["columns"])
    if wanted.get("version_hash", "") == "": return True
    for r in rows:
        values = dict(r["key"] + r["columns"])
        if values.get("version_hash") != wanted["version_hash"]: continue
        if r["table"] == "flow_versions": return True
        if r["table"] == "document_versions" and (values.get("document_id"), values.get("version")) == (
                wanted.get("document_id"), wanted.get("document_version")): return True
    return False

def owner(row):  # whose a commitment is, as the row of the vault states it
    values = dict(row["key"] + row["columns"]); digest = values.get("digest")
    names = tuple(values.get(n) for n in ("id", "subject", "label"))
    if row["table"] != "storage_vault_commitments" or not all(isinstance(n, str) for n in names): return None
    return (*names, b64(digest["bytes"]).hex()) if isinstance(digest, dict) and "bytes" in digest else None

def erasure(event):  # whose erasure an event tells of
    if event["type"] != "storage.vault.erased": return None
    try: name = json.loads(event["payload"]).get("subject")
    except (ValueError, AttributeError): return None
    return name if isinstance(name, str) else None

def need(fits):  # not `assert`, which Python leaves out when it is told to optimise
    if not fits: raise ValueError("format")

def typed(part, **kinds):
    for name, kind in kinds.items():
        value = part[name]
        if kind == "bytes": part[name] = b64(value)
        elif kind == "bytes?": part[name] = None if value is None else b64(value)
        elif kind == "proof": need(type(value) is list); part[name] = [b64(v, 32) for v in value]
        elif kind == "hex": need(re.fullmatch("[0-9a-f]{64}", value))
        elif kind == "int": need(type(value) is int and -2**63 <= value < 2**63)
        elif kind == "columns":
            need(type(value) is list)
            for pair in value:
                need(type(pair) is list and len(pair) == 2)
                n, v = pair
                need(type(n) is str and (v is None or type(v) in (int, str, dict)) and encs(n, v))
                if type(v) is dict: need(len(v) == 1 and re.fullmatch("[0-9a-f]{16}", v.get("real", "0" * 16)))
        else: need(type(value) is kind and (kind is list or value.encode() is not None))

def bounded(value, level=1):  # what is not verified is bounded as well: depth, numbers, whole characters
    need(level <= 32 or type(value) not in (list, dict))
    if type(value) is int: need(-2**63 <= value < 2**63)
    if type(value) is str: value.encode()
    if type(value) is list: [bounded(v, level + 1) for v in value]
    if type(value) is dict: [bounded(v, level + 1) for pair in value.items() for v in pair]

def read(path):
    def unique(pairs):
        need(len({n for n, v in pairs}) == len(pairs))
        return dict(pairs)
    def refuse(text): raise ValueError(text)
    def whole(text): need(text != "-0"); return int(text)
    with open(path, "rb") as file: data = file.read(2**28 + 1)
    need(len(data) <= 2**28)
    bundle = json.loads(data.decode(), object_pairs_hook=unique, parse_float=refuse, parse_constant=refuse,
                        parse_int=whole)
    bounded(bundle)
    need(bundle["format"] == "assent-evidence-1" and bundle["logs"])
    for log in bundle["logs"]:
        typed(log, origin=str, tenant=str, checkpoint=str, shown=str, shown_at_ms="int", earlier=list, events=list,
              rows=list, commitments=list, contents=list)
        need(re.fullmatch("[A-Za-z0-9._-]{1,64}", log["tenant"]))
        for e in log["earlier"]: typed(e, checkpoint=str, proof="proof")
        for e in log["events"]:
            typed(e, sequence="int", stream=str, type=str, payload="bytes", at_ms="int", changes="bytes", chain="bytes",
                  proof="proof")
            need(len(e["chain"]) == 32)
        for r in log["rows"]: typed(r, event="int", table=str, key="columns", columns="columns")
        for c in log["commitments"]:
            typed(c, id=str, subject=str, label=str, digest="hex", salt="bytes?", value="bytes?")
            need((c["salt"] is None) == (c["value"] is None))
        for c in log["contents"]: typed(c, name=str, digest="hex", bytes="bytes")
    return bundle

def main(path, keyfile):
    with open(keyfile) as file: lines = [line for line in map(str.strip, file) if line and not line.startswith("#")]
    keys = [b64(line.split("+", 2)[2])[1:] if "+" in line else bytes.fromhex(line) for line in lines]
    problems, counts, logs = [], [0] * 6, []
    try: bundle = read(path)
    except Exception: bundle, problems = {"logs": []}, ["format: bundle"]
    for log in bundle["logs"]: check(log, keys, problems, counts, logs)
    for problem in problems: print("✗", problem)
    words = "{} events, {} rows, {} commitments, {} contents".format(*counts)
    gone = counts[4] + counts[5]
    if not problems and not gone: print(f"✓ valid: {words}")
    if not problems and gone: print(f"✓ proof intact, content erased: {words}, {counts[4]} of them erased")
    for origin, last, ms in logs if not problems else []:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000))
        print(f"  {origin}: as of event {last}, {at}.{ms % 1000:03}Z; later events are not in the file")
    return 1 if problems else 0

if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # whatever the console's encoding
    if {"-h", "--help"} & set(sys.argv[1:]): sys.exit(print(__doc__))
    sys.exit(main(*sys.argv[1:3]) if len(sys.argv) == 3 else __doc__)
