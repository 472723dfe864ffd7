//! Components side by side, by table; boxes without references in a grid.

use super::graph::{Node, nodes};
use super::order::{Edge, components, edges};
use super::route::{Drawing, Placed, draw};
use monotable_model::model::Model;

const WIDTH: f64 = 900.0;
const GAP: f64 = 44.0;
const GRID_GAP: f64 = 14.0;
const TITLE: f64 = 34.0;
const MARGIN: f64 = 10.0;

/// A component at its place.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) drawing: Drawing,
    pub(super) x: f64,
    pub(super) y: f64,
}

/// The name of a table above its components.
#[derive(Debug)]
pub(super) struct Title {
    pub(super) text: String,
    pub(super) y: f64,
}

/// Everything at its place.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub(super) nodes: Vec<Node>,
    pub(super) parts: Vec<Part>,
    pub(super) titles: Vec<Title>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Places all entities of a model.
pub(super) fn sheet(model: &Model) -> Sheet {
    let nodes = nodes(model);
    let edges = edges(&nodes);
    let components = components(nodes.len(), &edges);
    let mut sheet = Sheet {
        nodes,
        height: MARGIN,
        ..Sheet::default()
    };
    for (position, table) in model.tables.iter().enumerate() {
        let here = |component: &&Vec<usize>| sheet.table_of(component) == Some(position);
        let of_table: Vec<_> = components.iter().filter(here).cloned().collect();
        if of_table.is_empty() {
            continue;
        }
        if model.tables.len() > 1 {
            sheet.titles.push(Title {
                text: table.name.value.clone(),
                y: sheet.height + 14.0,
            });
            sheet.height += TITLE;
        }
        sheet.add_table(of_table, &edges);
    }
    sheet.width += 2.0 * MARGIN;
    sheet
}

impl Sheet {
    /// A component belongs to the table of its first box.
    fn table_of(&self, component: &[usize]) -> Option<usize> {
        let first = component.first()?;
        self.nodes.get(*first).map(|node| node.table)
    }

    fn add_table(&mut self, components: Vec<Vec<usize>>, edges: &[Edge]) {
        let (alone, joined): (Vec<_>, Vec<_>) = components
            .into_iter()
            .partition(|component| component.len() == 1);
        let drawings = joined.iter().map(|component| {
            let own: Vec<_> = edges
                .iter()
                .filter(|edge| component.contains(&edge.from))
                .copied()
                .collect();
            draw(&self.nodes, component, &own)
        });
        let drawings: Vec<_> = drawings.collect();
        self.add_shelves(drawings);
        let alone: Vec<usize> = alone.into_iter().flatten().collect();
        if !alone.is_empty() {
            let grid = grid(&self.nodes, &alone);
            self.add_shelves(vec![grid]);
        }
    }

    /// One beside the other as long as they fit, then below.
    fn add_shelves(&mut self, drawings: Vec<Drawing>) {
        let mut x = 0.0_f64;
        let mut shelf = 0.0_f64;
        let any = !drawings.is_empty();
        for drawing in drawings {
            if x > 0.0 && x + drawing.width > WIDTH {
                self.height += shelf + GAP;
                (x, shelf) = (0.0, 0.0);
            }
            let width = drawing.width;
            shelf = shelf.max(drawing.height);
            self.width = self.width.max(x + width);
            self.parts.push(Part {
                drawing,
                x: x + MARGIN,
                y: self.height,
            });
            x += width + GAP;
        }
        if any {
            self.height += shelf + GAP;
        }
    }
}

/// Boxes in rows, as many as fit.
fn grid(nodes: &[Node], alone: &[usize]) -> Drawing {
    let mut drawing = Drawing::default();
    let (mut x, mut y, mut row) = (0.0_f64, 0.0_f64, 0.0_f64);
    for position in alone {
        let Some(node) = nodes.get(*position) else {
            continue;
        };
        if x > 0.0 && x + node.width > WIDTH {
            y += row + GRID_GAP;
            (x, row) = (0.0, 0.0);
        }
        drawing.boxes.push(Placed {
            node: *position,
            x,
            y,
        });
        x += node.width + GRID_GAP;
        row = row.max(node.height);
        drawing.width = drawing.width.max(x - GRID_GAP);
    }
    drawing.height = y + row;
    drawing
}

/// A box as a rectangle of the sheet: name, left, top, width, height.
#[cfg(test)]
pub(crate) type Frame = (String, f64, f64, f64, f64);

/// Where the boxes of a model are.
#[cfg(test)]
pub(crate) fn frames(model: &Model) -> Vec<Frame> {
    let sheet = sheet(model);
    let mut frames = Vec::new();
    for part in &sheet.parts {
        for placed in &part.drawing.boxes {
            let node = &sheet.nodes[placed.node];
            let (x, y) = (part.x + placed.x, part.y + placed.y);
            frames.push((node.name.clone(), x, y, node.width, node.height));
        }
    }
    frames
}
