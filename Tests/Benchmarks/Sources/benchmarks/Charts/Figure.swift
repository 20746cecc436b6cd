import Foundation

/// A picture in SVG, written by hand: shapes and text on white, so that it can be read anywhere.
struct Figure {
  let width: Double
  let height: Double
  private var elements: [String] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  enum Anchor: String { case start, middle, end }

  static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }

  mutating func text(
    _ text: String,
    _ x: Double,
    _ y: Double,
    size: Double = 11,
    anchor: Anchor = .start,
    color: String = "#333333",
    isBold: Bool = false,
    isUpright: Bool = false
  ) {
    let (x, y) = (Self.number(x), Self.number(y))
    let turn = isUpright ? #" transform="rotate(-90 \#(x) \#(y))""# : ""
    elements.append(
      #"<text x="\#(x)" y="\#(y)" font-size="\#(Self.number(size))" fill="\#(color)" "#
        + #"text-anchor="\#(anchor.rawValue)"\#(isBold ? #" font-weight="bold""# : "")\#(turn)>"#
        + Self.escaped(text) + "</text>"
    )
  }

  mutating func rectangle(
    _ x: Double,
    _ y: Double,
    _ width: Double,
    _ height: Double,
    fill: String,
    stroke: String = "none"
  ) {
    elements.append(
      #"<rect x="\#(Self.number(x))" y="\#(Self.number(y))" width="\#(Self.number(width))" "#
        + #"height="\#(Self.number(height))" fill="\#(fill)" stroke="\#(stroke)"/>"#
    )
  }

  mutating func line(
    _ points: [(x: Double, y: Double)],
    color: String,
    width: Double = 1,
    dash: String = ""
  ) {
    let list = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
    elements.append(
      #"<polyline points="\#(list)" fill="none" stroke="\#(color)" "#
        + #"stroke-width="\#(Self.number(width))"\#(dash.isEmpty ? "" : #" stroke-dasharray="\#(dash)""#)/>"#
    )
  }

  mutating func dot(_ x: Double, _ y: Double, radius: Double, color: String) {
    elements.append(
      #"<circle cx="\#(Self.number(x))" cy="\#(Self.number(y))" r="\#(Self.number(radius))" "#
        + #"fill="\#(color)"/>"#
    )
  }

  /// A row of names with a piece of line each.
  mutating func legend(_ series: [Series], _ x: Double, _ y: Double) {
    var x = x
    for one in series {
      line([(x, y - 4), (x + 24, y - 4)], color: one.color, width: one.width, dash: one.dash)
      text(one.name, x + 30, y, size: 12)
      x += 54 + 6.8 * Double(one.name.count)
    }
  }

  func write(to folder: String, _ name: String) throws {
    let (width, height) = (Self.number(width), Self.number(height))
    let head =
      #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(width) \#(height)" "#
      + #"width="\#(width)" height="\#(height)" "#
      + #"font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif">"#
    let all =
      [head, #"<rect width="100%" height="100%" fill="white"/>"#] + elements + ["</svg>", ""]
    try all.joined(separator: "\n")
      .write(toFile: "\(folder)/\(name).svg", atomically: true, encoding: .utf8)
  }
}

/// One line of a chart.
struct Series {
  let name: String
  let color: String
  var width = 1.5
  var dash = ""
  var points: [(x: Double, y: Double)] = []

  static func ours(_ name: String) -> Series { Series(name: name, color: "#0b6e4f", width: 2.6) }
  static func reference(_ name: String) -> Series { Series(name: name, color: "#d1495b") }
  static func plain(_ name: String) -> Series { Series(name: name, color: "#8a8a8a") }
  static func bound(_ name: String) -> Series {
    Series(name: name, color: "#444444", width: 1.2, dash: "4 3")
  }

  func with(_ points: [(x: Double, y: Double)]) -> Series {
    var series = self
    series.points = points
    return series
  }
}
