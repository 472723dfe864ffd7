//! The drawing as SVG.

use super::super::anchor::{Place, anchor};
use super::super::html::escape;
use super::graph::{HEAD, Line, Node, line_middle};
use super::packing::{Part, Sheet, sheet};
use super::route::{Stroke, number};
use monotable_model::model::Model;

const STYLE: &str = include_str!("drawing.css");
const KINDS: [&str; 4] = ["cascade", "restrict", "clear", "keep"];

/// Entities as boxes, references as arrows with what a delete does.
#[must_use]
pub fn relations_svg(model: &Model) -> String {
    svg(model, false)
}

/// The same for a page that has a place for each entity.
pub(crate) fn linked_svg(model: &Model) -> String {
    svg(model, true)
}

fn svg(model: &Model, linked: bool) -> String {
    let sheet = sheet(model);
    let (width, height) = (number(sheet.width.max(520.0)), number(sheet.height + 30.0));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mt-drawing\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"References of {name}\">\n\
         <title>References of {name}</title>\n<style>{STYLE}</style>\n",
        name = escape(&model.name),
    );
    out.push_str(&format!(
        "<rect class=\"sheet\" x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\"/>\n"
    ));
    out.push_str(&legend(sheet.height));
    for title in &sheet.titles {
        out.push_str(&format!(
            "<text class=\"table\" x=\"10\" y=\"{}\">Table {}</text>\n",
            number(title.y),
            escape(&title.text)
        ));
    }
    for part in &sheet.parts {
        out.push_str(&self::part(&sheet, part, linked));
    }
    out.push_str("</svg>\n");
    out
}

/// What the colours mean, below everything.
fn legend(top: f64) -> String {
    let y = number(top + 6.0);
    let text = number(top + 10.0);
    let mut out = String::new();
    let mut x = 10.0_f64;
    for kind in KINDS {
        out.push_str(&format!(
            "<path class=\"reference {kind}\" d=\"M{} {y}H{}\"/><text class=\"key\" x=\"{}\" y=\"{text}\">{kind}</text>\n",
            number(x),
            number(x + 26.0),
            number(x + 32.0),
        ));
        x += 110.0;
    }
    out
}

fn part(sheet: &Sheet, part: &Part, linked: bool) -> String {
    let mut out = String::new();
    // Arrow heads last, so that no line runs over them.
    for stroke in &part.drawing.strokes {
        out.push_str(&format!(
            "<path class=\"reference {}\" d=\"{}\"/>\n",
            word(stroke.kind),
            stroke.data(part.x, part.y)
        ));
    }
    for stroke in part.drawing.strokes.iter().filter(|stroke| stroke.arrow) {
        out.push_str(&arrow(stroke, part.x, part.y));
    }
    for placed in &part.drawing.boxes {
        if let Some(node) = sheet.nodes.get(placed.node) {
            let (x, y) = (part.x + placed.x, part.y + placed.y);
            out.push_str(&self::node(node, x, y, linked));
        }
    }
    out
}

fn word(kind: u8) -> &'static str {
    KINDS.get(usize::from(kind)).copied().unwrap_or("keep")
}

fn arrow(stroke: &Stroke, dx: f64, dy: f64) -> String {
    let mut points = stroke.path.iter().rev();
    let (Some(end), Some(before)) = (points.next(), points.next()) else {
        return String::new();
    };
    let side = if before.0 > end.0 { 8.0 } else { -8.0 };
    format!(
        "<path class=\"arrow {}\" d=\"M{} {}l{side} -4v8z\"/>\n",
        word(stroke.kind),
        number(end.0 + dx),
        number(end.1 + dy),
    )
}

fn node(node: &Node, x: f64, y: f64, linked: bool) -> String {
    let name = escape(&node.name);
    let at = |dx: f64, dy: f64| format!("x=\"{}\" y=\"{}\"", number(x + dx), number(y + dy));
    let mut out = format!(
        "<rect class=\"entity\" {} width=\"{}\" height=\"{}\" rx=\"5\"/>\n",
        at(0.0, 0.0),
        number(node.width),
        number(node.height)
    );
    let title = format!(
        "<text class=\"name\" {}>{name}</text>",
        at(11.0, HEAD - 9.5)
    );
    let title = if linked {
        format!(
            "<a href=\"#{}\">{title}</a>",
            anchor(Place::Entity, &node.name)
        )
    } else {
        title
    };
    out.push_str(&title);
    out.push('\n');
    if node.height > HEAD {
        out.push_str(&format!(
            "<path class=\"rule\" d=\"M{} {}h{}\"/>\n",
            number(x),
            number(y + HEAD),
            number(node.width)
        ));
    }
    for (position, line) in node.lines.iter().enumerate() {
        out.push_str(&self::line(node, line, position, &at));
    }
    if let Some(relation) = &node.relation {
        out.push_str(&format!(
            "<text class=\"relation\" {}>{}</text>\n",
            at(11.0, line_middle(node.lines.len()) + 4.0),
            escape(relation)
        ));
    }
    out
}

fn line(node: &Node, line: &Line, position: usize, at: &impl Fn(f64, f64) -> String) -> String {
    let y = line_middle(position) + 4.0;
    let kind = super::super::references::word(line.on_delete);
    format!(
        "<text class=\"line\" {}>{}</text><text class=\"line end {kind}\" {}>{}</text>\n",
        at(11.0, y),
        escape(&line.attribute),
        at(node.width - 11.0, y),
        escape(&line.label())
    )
}
