//! The rows of a revision.

use super::answer::Answer;
use super::declared::Declared;
use super::tree::Tree;
use super::tree_document::{Document, roots};
use crate::exit::Failure;
use crate::notation::Notation;
use crate::output::{Form, note_lost_types, print as write, visible};
use monotable_item::EncodedItem;
use monotable_store::{Row, Snapshot};
use std::io;

/// Where a row tells its entity. No attribute of a model is called so.
pub(super) const ENTITY: &str = "@entity";

/// A row that says of which entity it is.
pub(super) fn named(row: &Row) -> EncodedItem {
    EncodedItem::from(row.values.clone().with(ENTITY, row.entity.clone()))
}

/// Prints the rows as they are, or as a tree.
pub(super) fn print(
    answer: &Answer<'_>,
    declared: &Declared<'_>,
    shown: &Snapshot,
) -> Result<(), Failure> {
    match (
        answer.asking.is_drawn,
        answer.output.is_text(answer.notation),
    ) {
        (true, true) => {
            let tree = tree(answer, declared, shown)?;
            write(tree.drawn(declared, &shown.rows).as_bytes())
        }
        (true, false) => {
            let tree = tree(answer, declared, shown)?;
            document(answer, shown, Some(&tree))
        }
        (false, _) => rows(answer, declared, shown),
    }
}

/// The whole tree, or what lies below one of its rows.
fn tree(answer: &Answer<'_>, declared: &Declared<'_>, shown: &Snapshot) -> Result<Tree, Failure> {
    let tree = Tree::of(declared, shown);
    let Some(id) = &answer.asking.under else {
        return Ok(tree);
    };
    let is_meant = |row: &Row| {
        let entity = declared.model.entity_named(&row.entity);
        let name = entity.and_then(|(_, entity)| entity.id.as_deref());
        name.is_some_and(|name| row.text(name) == id)
    };
    match shown.rows.iter().position(is_meant) {
        Some(root) => Ok(tree.below(root)),
        None => Err(Failure::missing(format_args!(
            "there is no row {} in {}",
            visible(id),
            shown.revision
        ))),
    }
}

fn rows(answer: &Answer<'_>, declared: &Declared<'_>, shown: &Snapshot) -> Result<(), Failure> {
    match answer.output.form(answer.notation) {
        Form::Json => document(answer, shown, None),
        Form::Jsonl => {
            let rows: Vec<_> = shown.rows.iter().map(named).collect();
            let mut printer = answer.output.printer(answer.notation, Vec::new());
            printer.page(&rows)?;
            printer.finish()
        }
        Form::Table => tables(answer, declared, shown),
    }
}

/// A table for each entity.
fn tables(answer: &Answer<'_>, declared: &Declared<'_>, shown: &Snapshot) -> Result<(), Failure> {
    write(format!("revision {}\n", visible(&shown.revision)).as_bytes())?;
    for id in &declared.repository.entities {
        let entity = declared.model.entity(*id);
        let name = &entity.name.value;
        let rows = shown.rows.iter().filter(|row| row.entity == *name);
        let rows: Vec<_> = rows.map(|row| EncodedItem::from(&row.values)).collect();
        if rows.is_empty() {
            continue;
        }
        write(format!("\n{name}\n").as_bytes())?;
        let key = entity.key_attributes().into_iter().map(str::to_owned);
        let mut printer = answer.output.printer(answer.notation, key.collect());
        printer.page(&rows)?;
        printer.finish()?;
    }
    Ok(())
}

/// Everything as data; in lines a tree is one line for each of its roots.
fn document(answer: &Answer<'_>, shown: &Snapshot, tree: Option<&Tree>) -> Result<(), Failure> {
    let notation = answer.notation;
    let rows: Vec<_> = shown.rows.iter().map(named).collect();
    let mut text = Vec::new();
    let tree = tree.map(|tree| roots(tree, &rows, notation));
    match (answer.output.form(notation), tree) {
        (Form::Jsonl, Some(roots)) => {
            for root in &roots {
                serde_json::to_writer(&mut text, root).map_err(io::Error::from)?;
                text.push(b'\n');
            }
        }
        (_, tree) => {
            let document = Document::new(&shown.revision, &rows, tree, notation);
            serde_json::to_writer_pretty(&mut text, &document).map_err(io::Error::from)?;
            text.push(b'\n');
        }
    }
    write(&text)?;
    warn_of_types(&rows, notation);
    Ok(())
}

fn warn_of_types(rows: &[EncodedItem], notation: Notation) {
    if rows.iter().any(|row| !notation.keeps(row)) {
        note_lost_types();
    }
}
