//! Entities and references as boxes and edges.

use super::super::references::{ends, referring, word};
use super::text_width::text_width;
use monotable_model::model::{Entity, EntityId, Model, OnDelete};

/// Height of the name of a box.
pub(super) const HEAD: f64 = 28.0;
/// Height of a line of a box.
pub(super) const LINE: f64 = 19.0;
const FOOT: f64 = 7.0;
const SIDE: f64 = 11.0;
/// Size of an entity's name.
pub(super) const NAME_SIZE: f64 = 13.5;
/// Size of a line.
pub(super) const LINE_SIZE: f64 = 11.5;

/// An entity as a box.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) table: usize,
    pub(super) lines: Vec<Line>,
    pub(super) relation: Option<String>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A reference as a line of a box.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) attribute: String,
    pub(super) on_delete: OnDelete,
    /// The boxes it points to, but its own.
    pub(super) targets: Vec<usize>,
    /// It points to rows of its own entity.
    pub(super) own: bool,
}

impl Line {
    /// What stands at the end of the line.
    pub(super) fn label(&self) -> String {
        let own = if self.own { "itself, " } else { "" };
        format!("{own}{}", word(self.on_delete))
    }
}

/// The boxes of a model, in its order.
pub(super) fn nodes(model: &Model) -> Vec<Node> {
    let stored: Vec<EntityId> = model.stored().map(|(id, _)| id).collect();
    let entities = stored.iter().map(|id| (*id, model.entity(*id)));
    entities
        .map(|(id, entity)| node(model, &stored, id, entity))
        .collect()
}

fn node(model: &Model, stored: &[EntityId], id: EntityId, entity: &Entity) -> Node {
    let lines: Vec<_> = referring(entity)
        .map(|(attribute, reference)| {
            let kinds = model.kinds_of(reference.target);
            let positions = kinds.iter().filter(|kind| **kind != id);
            let many = if reference.many { "[]" } else { "" };
            Line {
                attribute: format!("{}{many}", attribute.name.value),
                on_delete: reference.on_delete,
                targets: positions
                    .filter_map(|kind| stored.iter().position(|known| known == kind))
                    .collect(),
                own: kinds.contains(&id),
            }
        })
        .collect();
    let relation = entity.relation.as_ref().map(|relation| {
        let acyclic = if relation.acyclic { ", acyclic" } else { "" };
        format!("{}{acyclic}", ends(relation))
    });
    let mut node = Node {
        name: entity.name.value.clone(),
        table: entity.table.index(),
        lines,
        relation,
        width: 0.0,
        height: 0.0,
    };
    node.width = width(&node);
    node.height = height(&node);
    node
}

fn width(node: &Node) -> f64 {
    let lines = node.lines.iter().map(|line| {
        text_width(&line.attribute, LINE_SIZE) + 16.0 + text_width(&line.label(), LINE_SIZE)
    });
    let relation = node.relation.iter().map(|text| text_width(text, LINE_SIZE));
    let name = text_width(&node.name, NAME_SIZE) * 1.06;
    let widest = lines.chain(relation).fold(name, f64::max);
    (widest + 2.0 * SIDE).ceil()
}

fn height(node: &Node) -> f64 {
    let lines = node.lines.len() + usize::from(node.relation.is_some());
    match u32::try_from(lines) {
        Ok(0) | Err(_) => HEAD,
        Ok(lines) => HEAD + f64::from(lines) * LINE + FOOT,
    }
}

/// Where the middle of a line is, from the top of its box.
pub(super) fn line_middle(position: usize) -> f64 {
    HEAD + LINE * (f64::from(u32::try_from(position).unwrap_or(0)) + 0.5) + 1.0
}
