/// The markup of the status page. Tables are filled by the script.
enum StatusMarkup {
  static let body = """
    <header>
      <h1>Assent <span id="place"></span></h1>
      <p id="state" role="status" class="waiting">Connecting…</p>
    </header>
    <main>
      <form id="login" hidden>
        <label for="key">Operator's key</label>
        <input id="key" type="password" autocomplete="off" spellcheck="false" required>
        <button>Show the status</button>
        <p id="refusal"></p>
      </form>
      <section role="status" aria-label="What operators should know"><ul id="notices"></ul></section>
      <section id="figures" aria-label="Now">
        <dl>
          <div><dt>Services</dt><dd id="services">–</dd></div>
          <div><dt>Instances</dt><dd id="instances">–</dd></div>
          <div><dt>Calls per second</dt><dd id="rate">–</dd></div>
          <div><dt>Refused per second</dt><dd id="refused">–</dd></div>
          <div><dt>Waiting</dt><dd id="queued">–</dd></div>
          <div><dt>Running</dt><dd id="running">–</dd></div>
        </dl>
      </section>
      <section>
        <h2 id="s">Services</h2>
        <table aria-labelledby="s">
          <thead><tr>
            <th scope="col">Service</th><th scope="col">Calls per second</th><th scope="col">Last minutes</th>
            <th scope="col">Instances</th><th scope="col">Waiting</th><th scope="col">Running</th>
            <th scope="col">Refused per second</th><th scope="col">Half within</th><th scope="col">99 % within</th>
            <th scope="col">Longest</th>
          </tr></thead>
          <tbody id="service-rows"></tbody>
        </table>
      </section>
      <section>
        <h2 id="i">Instances</h2>
        <table aria-labelledby="i">
          <thead><tr>
            <th scope="col">Instance</th><th scope="col">State</th><th scope="col">Calls per second</th>
            <th scope="col">Running</th><th scope="col">Finished</th><th scope="col">Half within</th>
            <th scope="col">99 % within</th><th scope="col">Version</th><th scope="col">Connected</th>
            <th scope="col">Services</th>
          </tr></thead>
          <tbody id="instance-rows"></tbody>
        </table>
      </section>
    </main>
    """
}
