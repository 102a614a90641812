/// The looks of the status page: wide tables on a desktop, a card for each row on a phone, dark where that is wished.
enum StatusStyle {
  static let text = """
    :root { color-scheme: light dark; --ink: #17202c; --faint: #526070; --paper: #f5f7fa; --card: #fff; --line: #d5dce5;
      --good: #14683a; --good-back: #dcf3e4; --warn: #7d4a00; --warn-back: #fdeecb; --accent: #1d4ed8; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e8edf4; --faint: #a3b0c0; --paper: #10151c; --card: #19202a; --line: #303b49;
        --good: #86e0ab; --good-back: #123524; --warn: #ffd07a; --warn-back: #3d2c08; --accent: #93b4ff; }
    }
    * { box-sizing: border-box; }
    body { margin: 0; font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; color: var(--ink); background: var(--paper); }
    header, main { max-width: 90rem; margin: 0 auto; padding: 1rem 1.5rem; }
    header { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; padding-bottom: 0; }
    h1 { font-size: 1.5rem; margin: 0; }
    h1 span { color: var(--faint); font-weight: 400; }
    h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
    #state { margin: 0; padding: .1rem .8rem; border-radius: 1rem; }
    .live, .ready { color: var(--good); background: var(--good-back); }
    .waiting, .draining, .suspect { color: var(--warn); background: var(--warn-back); }
    .word { padding: .1rem .6rem; border-radius: 1rem; white-space: nowrap; }
    form { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem;
      display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin-bottom: 1rem; }
    form p { flex-basis: 100%; margin: 0; color: var(--warn); }
    ul { list-style: none; margin: 0; padding: 0; }
    li { padding: .5rem 1rem; margin-bottom: .75rem; border-radius: .6rem; overflow-wrap: anywhere;
      color: var(--warn); background: var(--warn-back); }
    [hidden] { display: none; }
    input, button { font: inherit; padding: .4rem .8rem; border-radius: .4rem; border: 1px solid var(--faint);
      color: inherit; background: var(--paper); }
    input { flex: 1 1 16rem; }
    button { border-color: var(--accent); color: var(--accent); cursor: pointer; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 0; }
    dl div { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .75rem 1rem; }
    dt { color: var(--faint); font-size: .9rem; }
    dd { margin: 0; font-size: 1.6rem; font-variant-numeric: tabular-nums; }
    table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
    th, td { text-align: right; padding: .45rem .7rem; border-top: 1px solid var(--line); vertical-align: middle;
      font-variant-numeric: tabular-nums; }
    thead th { color: var(--faint); font-weight: 500; font-size: .85rem; border: 0; }
    tbody th { font-weight: 600; overflow-wrap: break-word; }
    /* A number and its unit stay together; only names of services may take several lines. */
    td { white-space: nowrap; }
    th:first-child, .left, thead th:last-child { text-align: left; }
    .left { white-space: normal; }
    td small { color: var(--faint); }
    svg { width: 8rem; height: 1.6rem; display: block; margin-left: auto; }
    polyline { fill: none; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
    @media (max-width: 76rem) {
      header, main { padding-left: 1rem; padding-right: 1rem; }
      table, tbody, tr, tbody th, td { display: block; border: 0; background: none; }
      thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      tbody tr { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem 1rem;
        margin-bottom: .75rem; }
      tbody th { padding: 0 0 .3rem; overflow-wrap: anywhere; }
      td { display: flex; justify-content: space-between; gap: 1rem; padding: .15rem 0; }
      td::before { content: attr(data-label); color: var(--faint); text-align: left; }
      .left { display: block; overflow-wrap: anywhere; }
      .left::before { display: block; }
    }
    @media (prefers-reduced-motion: no-preference) { dd { transition: color .3s; } }
    """
}
