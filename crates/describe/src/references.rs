//! What refers to what, and what a delete does.

use super::block::Block;
use super::inline::Inline;
use super::sentence;
use monotable_model::model::{
    Attribute, Entity, EntityId, KeyPlace, Model, OnDelete, Reference, Relation,
};
use monotable_model::plan::Plans;

/// The references of an entity, those to it, and its relation.
pub(crate) fn blocks(model: &Model, id: EntityId) -> Vec<Block> {
    let entity = model.entity(id);
    let mut blocks = Vec::new();
    let from: Vec<_> = referring(entity)
        .map(|(attribute, reference)| outgoing(model, id, attribute, reference))
        .collect();
    if !from.is_empty() {
        blocks.push(Block::caption("References"));
        blocks.push(Block::List(from));
    }
    let to = incoming(model, id);
    if !to.is_empty() {
        blocks.push(Block::caption("When a row is deleted"));
        blocks.push(Block::List(to));
    }
    if let Some(relation) = &entity.relation {
        blocks.push(Block::caption("Relation"));
        blocks.push(Block::List(self::relation(relation)));
    }
    blocks
}

/// The section with the diagram, and all references in one table.
pub(crate) fn overview(model: &Model) -> Vec<Block> {
    let mut rows = Vec::new();
    for (id, entity) in model.stored() {
        for (attribute, reference) in referring(entity) {
            rows.push(vec![
                sentence::entity(model, id),
                Inline::of_code(&attribute.name.value),
                sentence::entity(model, reference.target),
                Inline::of_code(word(reference.on_delete)),
                relation_cell(entity),
            ]);
        }
    }
    if rows.is_empty() {
        return Vec::new();
    }
    vec![
        Block::heading(2, "relations", "References and relations"),
        Block::paragraph(
            "A row with an arrow refers to the row the arrow ends at. When that one is deleted: `cascade` deletes \
             the referring row too, `restrict` refuses, `clear` removes the attribute, `keep` does nothing.",
        ),
        Block::Diagram,
        Block::table(
            "References",
            &["Entity", "Attribute", "Refers to", "On delete", "Relation"],
            rows,
        ),
    ]
}

fn relation_cell(entity: &Entity) -> Inline {
    let relation = entity.relation.as_ref();
    relation.map_or_else(Inline::new, |relation| Inline::of_code(ends(relation)))
}

/// The references of an entity.
pub(crate) fn referring(entity: &Entity) -> impl Iterator<Item = (&Attribute, &Reference)> {
    let attributes = entity.attributes.iter();
    attributes.filter_map(|attribute| Some((attribute, attribute.reference.as_ref()?)))
}

/// As a model writes it.
pub(crate) const fn word(on_delete: OnDelete) -> &'static str {
    match on_delete {
        OnDelete::Restrict => "restrict",
        OnDelete::Cascade => "cascade",
        OnDelete::Clear => "clear",
        OnDelete::Keep => "keep",
    }
}

/// The two ends of a relation: `ParentId -> ChildId`.
pub(crate) fn ends(relation: &Relation) -> String {
    let arrow = if relation.symmetric { "--" } else { "->" };
    format!("{} {arrow} {}", relation.from.value, relation.to.value)
}

fn outgoing(model: &Model, id: EntityId, attribute: &Attribute, reference: &Reference) -> Inline {
    let target = &model.entity(reference.target).name.value;
    let what = match reference.on_delete {
        OnDelete::Restrict => {
            format!("; a `{target}` cannot be deleted while this row refers to it")
        }
        OnDelete::Cascade => format!("; goes when the `{target}` is deleted"),
        OnDelete::Clear => format!("; the attribute is removed when the `{target}` is deleted"),
        OnDelete::Keep => format!("; stays when the `{target}` is deleted"),
    };
    let mut line = Inline::of_code(&attribute.name.value)
        .text(" refers to ")
        .then(sentence::entity(model, reference.target))
        .then(what.into());
    if let Some(filter) = &reference.filter {
        line = line.then(sentence::condition("; that row satisfies", filter));
    }
    if let Some(same) = &reference.same {
        line = line.text("; both rows agree on ").code(&same.value);
    }
    if let Some(counter) = &reference.counted {
        line = line
            .text("; counted in ")
            .code(&counter.value)
            .text(" there");
    }
    if reference.missing_warns {
        line = line.text("; a row that is not there is only a warning");
    }
    if reference.on_delete != OnDelete::Keep {
        line = line.then(found_by(model, id, &attribute.name.value, reference));
    }
    line
}

fn found_by(model: &Model, id: EntityId, attribute: &str, reference: &Reference) -> Inline {
    if let Some(via) = reference.via {
        return Inline::new()
            .text("; found by ")
            .then(sentence::pattern(model, via));
    }
    let table = model.table(model.entity(id).table);
    match Plans::new(model).find_referrers(id, attribute) {
        Some(KeyPlace::Primary) => "; found by the table's key".into(),
        Some(KeyPlace::Index(position)) => match table.indexes.get(position) {
            Some(index) => Inline::new().text("; found by ").code(&index.name.value),
            None => Inline::new(),
        },
        None => Inline::new(),
    }
}

/// Who refers to it, and what becomes of them.
fn incoming(model: &Model, id: EntityId) -> Vec<Inline> {
    let mut lines = Vec::new();
    for (other, entity) in model.stored() {
        for (attribute, reference) in referring(entity) {
            if !model.kinds_of(reference.target).contains(&id) {
                continue;
            }
            let what = match reference.on_delete {
                OnDelete::Restrict => "the delete is refused while there are rows of ",
                OnDelete::Cascade => "deletes the rows of ",
                OnDelete::Clear => "clears the attribute in rows of ",
                OnDelete::Keep => "leaves the rows of ",
            };
            lines.push(
                Inline::new()
                    .text(what)
                    .then(sentence::entity(model, other))
                    .text(" whose ")
                    .code(&attribute.name.value)
                    .text(" names it")
                    .then(found_by(model, other, &attribute.name.value, reference)),
            );
        }
    }
    lines.extend(owned(model, id));
    lines
}

/// Ends of an owning relation, and rows that belong to it.
fn owned(model: &Model, id: EntityId) -> Vec<Inline> {
    let mut lines = Vec::new();
    for (other, entity) in model.stored() {
        let Some(relation) = entity.relation.as_ref().filter(|relation| relation.owning) else {
            continue;
        };
        let first = entity.attribute(&relation.from.value);
        let target = first.and_then(|attribute| attribute.reference.as_ref());
        if target.is_some_and(|reference| reference.target == id) {
            lines.push(
                Inline::new()
                    .text("deletes the row that ")
                    .code(&relation.to.value)
                    .text(" of its ")
                    .then(sentence::entity(model, other))
                    .text(" names: the relation is owning"),
            );
        }
    }
    let owns = &model.entity(id).owns;
    if !owns.is_empty() {
        lines.push(
            Inline::new()
                .text("rows of ")
                .then(sentence::patterns(model, owns))
                .text(" live, move and die with it, unknown ones too"),
        );
    }
    lines
}

fn relation(relation: &Relation) -> Vec<Inline> {
    let mut lines = vec![Inline::of_code(ends(relation)).text(if relation.symmetric {
        ": an unordered pair; a mirrored row is the same"
    } else {
        ": from the first end to the second"
    })];
    if relation.acyclic {
        lines.push(
            format!(
                "no row reaches itself; chains are at most {} long",
                relation.depth
            )
            .into(),
        );
    }
    if let Some((reference, counter)) = &relation.serial {
        lines.push(
            Inline::new()
                .text("checks are serialised by ")
                .code(&counter.value)
                .text(" on the row that ")
                .code(&reference.value)
                .text(" names"),
        );
    }
    if relation.owning {
        lines.push("owning: deleting the first end deletes the second".into());
    }
    for message in relation.message.iter().chain(&relation.message_on_depth) {
        lines.push(Inline::new().text(format!("refused with \u{201c}{message}\u{201d}")));
    }
    lines
}
