//! Boxes and lines of a component, with their coordinates.

use super::component::{Bundle, Columns, End, Item, Link, columns};
use super::graph::{HEAD, Node, line_middle};
use super::order::Edge;

const LANE: f64 = 9.0;
const LANE_SIDE: f64 = 18.0;
const CORNER: f64 = 6.0;

/// A drawn component.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub(super) boxes: Vec<Placed>,
    pub(super) strokes: Vec<Stroke>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A box and its top left corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) node: usize,
    pub(super) x: f64,
    pub(super) y: f64,
}

/// A line.
#[derive(Clone, Debug)]
pub(super) struct Stroke {
    pub(super) kind: u8,
    /// Points that it goes through, with right angles.
    pub(super) path: Vec<(f64, f64)>,
    /// It ends in an arrow.
    pub(super) arrow: bool,
}

/// Places the boxes of a component and draws its references.
pub(super) fn draw(nodes: &[Node], component: &[usize], edges: &[Edge]) -> Drawing {
    let placed = columns(nodes, component, edges);
    let frame = Frame::new(nodes, &placed);
    let mut drawing = Drawing {
        width: frame.width(),
        height: placed.height,
        ..Drawing::default()
    };
    for (position, column) in placed.columns.iter().enumerate() {
        for item in column {
            let y = placed.tops.get(&(position, *item)).copied().unwrap_or(0.0);
            match item {
                Item::Node(node) => drawing.boxes.push(Placed {
                    node: *node,
                    x: frame.left(position),
                    y,
                }),
                Item::Free(bundle) => drawing.strokes.push(frame.passing(position, *bundle, y)),
            }
        }
    }
    let links = placed.links.iter();
    drawing.strokes.extend(links.map(|link| frame.stroke(link)));
    drawing
}

/// Where columns and lanes are.
struct Frame<'n> {
    nodes: &'n [Node],
    placed: &'n Columns,
    /// Left edge and width of each column.
    spans: Vec<(f64, f64)>,
    /// The bundles of each gap, in the order of their lanes.
    lanes: Vec<Vec<Bundle>>,
}

impl<'n> Frame<'n> {
    fn new(nodes: &'n [Node], placed: &'n Columns) -> Self {
        let mut frame = Self {
            nodes,
            placed,
            spans: Vec::new(),
            lanes: Vec::new(),
        };
        let mut x = 0.0;
        for (position, column) in placed.columns.iter().enumerate() {
            let width = column.iter().map(|item| match item {
                Item::Node(node) => nodes.get(*node).map_or(0.0, |node| node.width),
                Item::Free(_) => 0.0,
            });
            let width = width.fold(0.0, f64::max);
            let lanes = frame.lanes_of(position);
            frame.spans.push((x, width));
            x += width + 2.0 * LANE_SIDE + LANE * count(lanes.len());
            frame.lanes.push(lanes);
        }
        frame
    }

    fn lanes_of(&self, gap: usize) -> Vec<Bundle> {
        let mut lanes: Vec<Bundle> = Vec::new();
        for link in self.placed.links.iter().filter(|link| link.gap == gap) {
            if !lanes.contains(&link.bundle) {
                lanes.push(link.bundle);
            }
        }
        // What passes on turns first, so that it does not lie on a line that ends here.
        let passes = |bundle: &Bundle| {
            let links = self.placed.links.iter();
            let mut own = links.filter(|link| link.gap == gap && link.bundle == *bundle);
            own.any(|link| link.left == End::Free)
        };
        lanes.sort_by_key(|bundle| (passes(bundle), *bundle));
        lanes
    }

    fn width(&self) -> f64 {
        self.spans.last().map_or(0.0, |(left, width)| left + width)
    }

    fn left(&self, column: usize) -> f64 {
        self.spans.get(column).map_or(0.0, |(left, _)| *left)
    }

    fn right(&self, column: usize) -> f64 {
        self.spans
            .get(column)
            .map_or(0.0, |(left, width)| left + width)
    }

    fn lane(&self, link: &Link) -> f64 {
        let lanes = self.lanes.get(link.gap);
        let position = lanes.and_then(|lanes| lanes.iter().position(|lane| *lane == link.bundle));
        self.right(link.gap) + LANE_SIDE + LANE * (count(position.unwrap_or(0)) + 0.5)
    }

    fn top(&self, column: usize, item: Item) -> f64 {
        self.placed
            .tops
            .get(&(column, item))
            .copied()
            .unwrap_or(0.0)
    }

    fn height_of(&self, column: usize, bundle: Bundle, end: End) -> f64 {
        match end {
            End::Line { node, line } => self.top(column, Item::Node(node)) + line_middle(line),
            // Each kind arrives at its own height, so that colours do not mix.
            End::Target(node) => {
                let port = HEAD * (f64::from(bundle.kind) + 1.0) / 5.0;
                self.top(column, Item::Node(node)) + port
            }
            End::Free => self.top(column, Item::Free(bundle)) + 3.0,
        }
    }

    /// A line through the free place of a column.
    fn passing(&self, column: usize, bundle: Bundle, top: f64) -> Stroke {
        let y = top + 3.0;
        Stroke {
            kind: bundle.kind,
            path: vec![(self.left(column), y), (self.right(column), y)],
            arrow: false,
        }
    }

    fn stroke(&self, link: &Link) -> Stroke {
        let lane = self.lane(link);
        let left_y = self.height_of(link.gap, link.bundle, link.left);
        let right_y = self.height_of(link.gap + 1, link.bundle, link.right);
        // A box may be narrower than its column.
        let left_x = match link.left {
            End::Line { node, .. } | End::Target(node) => {
                let width = self.nodes.get(node).map_or(0.0, |node| node.width);
                self.left(link.gap) + width
            }
            End::Free => self.right(link.gap),
        };
        let right_x = self.left(link.gap + 1);
        let mut path = vec![
            (right_x, right_y),
            (lane, right_y),
            (lane, left_y),
            (left_x, left_y),
        ];
        if link.bundle.back {
            path.reverse();
        }
        Stroke {
            kind: link.bundle.kind,
            path,
            arrow: matches!(link.left, End::Target(_)) || matches!(link.right, End::Target(_)),
        }
    }
}

fn count(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(0))
}

impl Stroke {
    /// The line as the data of an SVG path, with round corners.
    pub(super) fn data(&self, dx: f64, dy: f64) -> String {
        let points: Vec<_> = self.path.iter().map(|(x, y)| (x + dx, y + dy)).collect();
        let mut data = String::new();
        for (position, point) in points.iter().enumerate() {
            let before = position
                .checked_sub(1)
                .and_then(|before| points.get(before));
            match (before, points.get(position + 1)) {
                (None, _) => data.push_str(&format!("M{} {}", number(point.0), number(point.1))),
                (Some(_), None) => {
                    data.push_str(&format!("L{} {}", number(point.0), number(point.1)));
                }
                (Some(before), Some(after)) => data.push_str(&corner(*before, *point, *after)),
            }
        }
        data
    }
}

fn corner(before: (f64, f64), at: (f64, f64), after: (f64, f64)) -> String {
    let towards = |other: (f64, f64)| {
        let (dx, dy) = (other.0 - at.0, other.1 - at.1);
        let length = dx.hypot(dy);
        let step = CORNER.min(length / 2.0);
        if length > 0.0 {
            (at.0 + dx / length * step, at.1 + dy / length * step)
        } else {
            at
        }
    };
    let (start, end) = (towards(before), towards(after));
    format!(
        "L{} {}Q{} {} {} {}",
        number(start.0),
        number(start.1),
        number(at.0),
        number(at.1),
        number(end.0),
        number(end.1)
    )
}

/// One digit after the point is enough, and the same everywhere.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
