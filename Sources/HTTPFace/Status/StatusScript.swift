/// The script of the status page: it follows the gateway's own list of instances, by Connect, like any other client.
enum StatusScript {
  static let text = """
    "use strict";
    const path = "/assent.gateway.v1.GatewayService/WatchInstances";
    const byId = (id) => document.getElementById(id);
    const history = new Map();
    const samples = 120;
    let key = "";

    const say = (text, look) => {
      const state = byId("state");
      if (state.textContent !== text) state.textContent = text;
      state.className = look;
    };
    const whole = (value) => Number(value ?? 0).toLocaleString("en");
    const rate = (value) => Number(value ?? 0).toLocaleString("en", {maximumFractionDigits: value >= 100 ? 0 : 1});
    const time = (us) => us === undefined ? "–"
      : us < 1000 ? `${us} µs` : us < 1e6 ? `${Number((us / 1000).toPrecision(3))} ms`
      : `${Number((us / 1e6).toPrecision(3))} s`;
    // Percentiles are upper bounds, and may lie above the longest of all.
    const within = (latency, name) =>
      time(latency?.[name] === undefined ? undefined : Math.min(latency[name], latency.maxUs ?? 0));
    const age = (text) => {
      const seconds = Math.max(0, Math.round((Date.now() - Date.parse(text)) / 1000));
      return seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.floor(seconds / 60)} min`
        : seconds < 172800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86400)} days`;
    };

    const element = (name, text, attributes = {}) => {
      const made = document.createElement(name);
      made.append(text);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      return made;
    };
    const row = (table, title, cells) => {
      const names = [...byId(table).parentElement.tHead.rows[0].cells].map((cell) => cell.textContent);
      const made = element("tr", element("th", title, {scope: "row"}));
      cells.forEach((cell, place) => made.append(element("td", cell, {"data-label": names[place + 1]})));
      return made;
    };
    const line = (values) => {
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("viewBox", `0 0 ${samples - 1} 20`);
      svg.setAttribute("preserveAspectRatio", "none");
      svg.setAttribute("aria-hidden", "true");
      const top = Math.max(1, ...values);
      const points = values.map((value, place) =>
        `${samples - values.length + place},${(19 - 18 * value / top).toFixed(1)}`);
      const drawn = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
      drawn.setAttribute("points", points.join(" "));
      svg.append(drawn);
      return svg;
    };

    const show = ({instances = [], services = []}) => {
      const sum = (name) => services.reduce((total, one) => total + (one[name] ?? 0), 0);
      byId("services").textContent = whole(services.length);
      byId("instances").textContent = whole(instances.length);
      byId("rate").textContent = rate(sum("callsPerSecond"));
      byId("refused").textContent = rate(sum("refusedPerSecond"));
      byId("queued").textContent = whole(sum("queued"));
      byId("running").textContent = whole(sum("inFlight"));
      const notices = instances.flatMap((one) => (one.notices ?? []).map((text) => `${one.name || one.id}: ${text}`));
      if (notices.join() !== [...byId("notices").children].map((item) => item.textContent).join()) {
        byId("notices").replaceChildren(...notices.map((text) => element("li", text)));
      }
      byId("service-rows").replaceChildren(...services.map((one) => row("service-rows", one.name, [
        rate(one.callsPerSecond), line(history.get(one.name) ?? []), whole(one.instances), whole(one.queued),
        whole(one.inFlight), rate(one.refusedPerSecond), within(one.latency, "p50Us"), within(one.latency, "p99Us"),
        time(one.latency?.maxUs),
      ])));
      byId("instance-rows").replaceChildren(...instances.map((one) => {
        const word = (one.state ?? "INSTANCE_STATE_UNSPECIFIED").replace("INSTANCE_STATE_", "").toLowerCase();
        const made = row("instance-rows", one.name || one.id, [
          element("span", word, {class: `word ${word}`}), rate(one.callsPerSecond),
          `${whole(one.inFlight)} of ${whole(one.slots)}`, whole(one.finished), within(one.latency, "p50Us"),
          within(one.latency, "p99Us"), one.version ?? "", age(one.connectedAt), (one.services ?? []).join(", "),
        ]);
        made.lastChild.classList.add("left");
        if (one.address) made.firstChild.append(element("div", element("small", one.address)));
        return made;
      }));
    };

    let latest = null;
    setInterval(() => {
      if (!latest) return;
      for (const one of latest.services ?? []) {
        const values = history.get(one.name) ?? [];
        values.push(one.callsPerSecond ?? 0);
        history.set(one.name, values.slice(-samples));
      }
      show(latest);
    }, 1000);

    const frame = (message) => {
      const text = new TextEncoder().encode(JSON.stringify(message));
      const bytes = new Uint8Array(5 + text.length);
      new DataView(bytes.buffer).setUint32(1, text.length);
      bytes.set(text, 5);
      return bytes;
    };

    const follow = async () => {
      const headers = {"Content-Type": "application/connect+json", "Connect-Protocol-Version": "1",
        "Connect-Timeout-Ms": "3600000"};
      if (key) headers.Authorization = `Bearer ${key}`;
      const answer = await fetch(path, {method: "POST", headers, body: frame({intervalMs: 1000})});
      if (!answer.ok) throw new Error(`the gateway answered ${answer.status}`);
      const reader = answer.body.getReader();
      let rest = new Uint8Array(0);
      while (true) {
        const {done, value} = await reader.read();
        if (done) return;
        const bytes = new Uint8Array(rest.length + value.length);
        bytes.set(rest);
        bytes.set(value, rest.length);
        rest = bytes;
        while (rest.length >= 5) {
          const length = new DataView(rest.buffer, rest.byteOffset).getUint32(1);
          if (rest.length < 5 + length) break;
          const message = JSON.parse(new TextDecoder().decode(rest.subarray(5, 5 + length)));
          if (rest[0] & 2) {
            if (message.error) throw message.error;
            return;
          }
          byId("login").hidden = true;
          say("Live", "live");
          const isFirst = latest === null;
          latest = message;
          if (isFirst) show(latest);
          rest = rest.slice(5 + length);
        }
      }
    };

    let wake = null;
    const run = async () => {
      while (true) {
        try {
          await follow();
        } catch (error) {
          if (["unauthenticated", "permission_denied"].includes(error.code)) {
            say("A key is needed", "waiting");
            byId("login").hidden = false;
            byId("refusal").textContent = key ? error.message : "";
            await new Promise((resolve) => { wake = resolve; });
            continue;
          }
        }
        say("Reconnecting…", "waiting");
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    };
    byId("login").addEventListener("submit", (event) => {
      event.preventDefault();
      key = byId("key").value.trim();
      wake?.();
    });
    byId("place").textContent = location.host;
    run();
    """
}
