// Called by scripts/build-web, with its working folder: completes what esbuild has bundled.
//
// Pages get the names of the files they ask for. manifest.json tells under which name each module and style sheet is
// found; sizes.txt how many bytes a page fetches for each, with all that it imports at once, and how many for each page
// of the console.
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { gzipSync } from "node:zlib"

const work = process.argv[2]
const out = join(work, "out")
const bundles = ["modules", "verify", "device", "console", "accounts", "sync", "phone", "styles"].map((name) => `${name}.json`)
const outputs = Object.assign({}, ...bundles.map((name) => JSON.parse(readFileSync(join(work, name), "utf8")).outputs))

// kit-ABCDEFGH.js is found as kit.js. What a module imports when it is first needed is nobody's to load.
const entries = Object.keys(outputs).filter((path) => outputs[path].entryPoint && !basename(path).startsWith("assent-"))
const plain = (path) => basename(path).replace(/-[0-9A-Z]{8}\./, ".")
const manifest = Object.fromEntries(entries.filter((path) => outputs[path].entryPoint.match(/^web\/(apps|device|elements)\//))
  .map((path) => [plain(path), basename(path)]).sort())

// An app's icon, and its manifest, which names the icon.
for (const app of readdirSync(join(work, "web/apps"))) {
  const folder = join(work, "web/apps", app)
  for (const name of readdirSync(folder).filter((each) => /\.(svg|webmanifest)$/.test(each)).sort().reverse()) {
    const content = readFileSync(join(folder, name), "utf8")
      .replace(/"([\w.]+\.svg)"/g, (whole, icon) => manifest[icon] ? `"${manifest[icon]}"` : whole)
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 8).toUpperCase()
    manifest[name] = name.replace(".", `-${hash}.`)
    writeFileSync(join(out, manifest[name]), content)
  }
}
writeFileSync(join(out, "manifest.json"), JSON.stringify(manifest, null, 2) + "\n")

// What a module imports; what it imports when it is first needed counts only where that is asked for.
function reached(path, isCounted = () => true, found = new Set()) {
  if (found.has(path)) return found
  found.add(path)
  for (const { path: other, kind } of outputs[path].imports) if (isCounted(kind)) reached(other, isCounted, found)
  return found
}
const imported = (path) => reached(path, (kind) => kind === "import-statement")
const pages = {}
for (const app of readdirSync(join(work, "web/apps"))) {
  const page = readFileSync(join(work, "web/apps", app, "index.html"), "utf8")
  const named = page.replace(/(href|src)="([\w.]+)"/g, (whole, attribute, name) => {
    if (!manifest[name]) throw new Error(`web/apps/${app}/index.html asks for ${name}, which is not built`)
    return `${attribute}="../${manifest[name]}"`
  }).replace(/<script type="module" src="\.\.\/([\w-]+\.js)">/g, (whole, name) => {
    // A browser would learn of these only from the module, once that has come.
    const [entry] = entries.filter((path) => basename(path) === name)
    const needed = [...imported(entry)].filter((path) => path !== entry)
    return needed.map((path) => `<link rel="modulepreload" href="../${basename(path)}">\n`).join("") + whole
  })
  const place = join(out, app, "index.html")
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, named)
  pages[app] = named
}

// A page's service worker keeps all that the page may ask for, also what a module imports when it is first needed.
for (const name of readdirSync(out).filter((each) => each.endsWith("-worker.js"))) {
  const app = name.replace("-worker.js", "")
  const files = [...pages[app].matchAll(/"\.\.\/([^"]+)"/g)].map(([, file]) => file)
  const all = files.flatMap((file) => outputs[`out/${file}`] ? [...reached(`out/${file}`)] : [file])
  const kept = [...new Set(all.map((file) => `/${basename(file)}`))].sort()
  const page = createHash("sha256").update(pages[app]).digest("hex")
  const version = createHash("sha256").update(JSON.stringify([page, kept])).digest("hex").slice(0, 16)
  const built = JSON.stringify({ version, page, files: kept })
  writeFileSync(join(out, name), `const built = ${built};\n${readFileSync(join(out, name), "utf8")}`)
}

function files(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)])
}
for (const file of files(out)) writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))

const compressed = (path) => readFileSync(`${join(work, path)}.gz`).length
const sizes = entries.filter((path) => manifest[plain(path)] === basename(path)).map((path) => {
  const bytes = [...imported(path)].reduce((sum, each) => sum + compressed(each), 0)
  return `${plain(path)} ${bytes}\n`
})

// What a page of the console fetches in one language, the longest, until all of it was used: also what comes when it is
// first needed, such as the element of a preview; and what all pages are together.
const console_ = JSON.parse(readFileSync(join(work, "console.json"), "utf8")).outputs
const within = (folder) => Object.keys(console_).filter((path) => console_[path].entryPoint?.startsWith(folder))
const [shell] = within("web/apps/console/")
const spoken = (path) => /^web\/words\/(.*)\/?(ar|de|en|es|fr|ja|zh)\.ts$/.exec(outputs[path].entryPoint ?? "")?.[1]
function inOneLanguage(paths) {
  const words = new Map()
  let bytes = 0
  for (const path of paths) {
    const of = spoken(path)
    if (of === undefined) bytes += compressed(path)
    else words.set(of, Math.max(words.get(of) ?? 0, compressed(path)))
  }
  return [...words.values()].reduce((sum, each) => sum + each, bytes)
}
const always = [...imported(shell), ...within("web/words/console/"), `out/${manifest["console.css"]}`]
const consolePages = within("web/console/pages/").map((path) =>
  [basename(console_[path].entryPoint, ".ts"), inOneLanguage(new Set([...always, ...reached(path)]))])
// The elements are people's own, who have them anyway.
const isElement = (path) => Object.keys(outputs[path].inputs).some((input) => /\/assent-\w+\.ts$/.test(input))
const own = new Set([`out/${manifest["console.css"]}`])
const follow = (path) => {
  if (own.has(path) || isElement(path)) return
  own.add(path)
  for (const { path: other } of outputs[path].imports) follow(other)
}
follow(shell)
for (const [name, bytes] of [...consolePages.sort(), ["*", inOneLanguage(own)]]) {
  sizes.push(`console/${name} ${bytes}\n`)
}
writeFileSync(join(out, "sizes.txt"), sizes.join(""))
