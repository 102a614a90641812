/// What untrusted markup may contain; everything else is removed.
package struct AllowList: Sendable {
  /// Elements that stay, with the attributes that they may have besides the common ones.
  package let elements: [String: Set<String>]
  /// Attributes that every element may have.
  package let common: Set<String>
  /// Elements that are removed with their content. Of other elements that are not allowed, the content stays.
  let droppedWhole: Set<String>
  /// Elements without content.
  let empty: Set<String>
  /// Attributes whose value is a link or a source to load.
  package let references: Set<String>
  /// Attributes whose value browsers read as CSS.
  package let styles: Set<String>

  /// The markup of a consent document: no script, no style, no forms, nothing that loads from elsewhere.
  package static let document = AllowList(
    elements: [
      "a": ["href"], "abbr": [], "address": [], "b": [], "bdi": [], "bdo": [], "blockquote": [], "br": [],
      "caption": [], "cite": [], "code": [], "col": ["span"], "colgroup": ["span"], "dd": [], "del": [], "dfn": [],
      "div": [], "dl": [], "dt": [], "em": [], "figcaption": [], "figure": [], "h1": [], "h2": [], "h3": [], "h4": [],
      "h5": [], "h6": [], "hr": [], "i": [], "img": ["src", "alt", "width", "height"], "ins": [], "kbd": [],
      "li": ["value"], "mark": [], "ol": ["start", "type", "reversed"], "p": [], "pre": [], "q": [], "rp": [],
      "rt": [], "ruby": [], "s": [], "samp": [], "section": [], "small": [], "span": [], "strong": [], "sub": [],
      "sup": [], "table": [], "tbody": [], "td": ["colspan", "rowspan", "headers"], "tfoot": [],
      "th": ["colspan", "rowspan", "scope", "abbr"], "thead": [], "time": ["datetime"], "tr": [], "u": [], "ul": [],
      "var": [], "wbr": [],
    ],
    common: ["title", "lang", "dir"],
    droppedWhole: [
      "script", "style", "iframe", "object", "embed", "applet", "noscript", "template", "svg", "math", "textarea",
      "select", "button", "audio", "video", "canvas", "head", "title", "noembed", "noframes", "frameset", "xmp",
      "plaintext", "datalist", "map", "dialog",
    ],
    empty: ["br", "col", "hr", "img", "wbr"],
    references: ["href", "src"], styles: [])

  /// The attributes of a shape that could also be set in a style sheet.
  private static let presentation: Set<String> = [
    "fill", "fill-opacity", "fill-rule", "clip-rule", "clip-path", "stroke", "stroke-width", "stroke-linecap",
    "stroke-linejoin", "stroke-dasharray", "stroke-dashoffset", "stroke-miterlimit", "stroke-opacity", "opacity",
    "color", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "vector-effect", "visibility",
    "display",
  ]

  /// A drawing: shapes, text and gradients, without script, animation, style sheets or anything that is loaded.
  package static let drawing = AllowList(
    elements: [
      "svg": ["xmlns", "viewbox", "width", "height", "version", "preserveaspectratio", "role", "aria-label"],
      "g": [], "defs": [], "title": [], "desc": [], "symbol": ["viewbox"], "path": ["d", "pathlength"],
      "rect": ["x", "y", "width", "height", "rx", "ry"], "circle": ["cx", "cy", "r"],
      "ellipse": ["cx", "cy", "rx", "ry"], "line": ["x1", "y1", "x2", "y2"], "polyline": ["points"],
      "polygon": ["points"], "text": ["x", "y", "dx", "dy", "textlength"], "tspan": ["x", "y", "dx", "dy"],
      "lineargradient": ["x1", "y1", "x2", "y2", "gradientunits", "gradienttransform", "spreadmethod"],
      "radialgradient": ["cx", "cy", "r", "fx", "fy", "gradientunits", "gradienttransform", "spreadmethod"],
      "stop": ["offset", "stop-color", "stop-opacity"], "clippath": ["clippathunits"],
      "mask": ["x", "y", "width", "height", "maskunits"], "use": ["href", "x", "y", "width", "height"],
    ],
    common: presentation.union(["id", "transform"]),
    droppedWhole: [
      "script", "style", "foreignobject", "image", "animate", "animatemotion", "animatetransform", "set", "filter",
      "iframe", "object", "embed", "audio", "video", "metadata", "switch", "pattern",
    ],
    empty: [],
    references: ["href"], styles: presentation.union(["stop-color", "stop-opacity"]))
}
