//! Rows that the store writes about other rows: what their attributes are, and where they are put.

use super::times;
use crate::assignment;
use crate::change::{Cause, ItemChange, Run};
use crate::draft::Archived;
use crate::field_error::{FieldError, Problem};
use crate::interrupt::Interrupt;
use crate::record::{self, Record};
use crate::row::mask_secrets;
use crate::scope::Scope;
use crate::template;
use crate::value;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::{Shown, SourcePath, render};
use monotable_model::model::{
    Assigned, Assignment, Attribute, EntityId, Part, Root, Source, Template,
};

/// Who a row names where the model wants somebody and nobody is known: the first that the attribute can hold.
const NOBODY: [&str; 2] = [
    "00000000-0000-0000-0000-000000000000",
    "00000000000000000000000000",
];

/// What the attributes of such a row are taken from.
#[derive(Debug, Default)]
pub(crate) struct NoteSource<'f> {
    /// The entity of the row it is about.
    pub(crate) of: Option<EntityId>,
    /// What is copied to attributes of the same name.
    pub(crate) copied: Item,
    /// What is copied comes from a caller, and counts only as far as it is what the model says.
    pub(crate) is_given: bool,
    /// The row, as it may be shown.
    pub(crate) row: Item,
    /// The row before the write, as it may be shown.
    pub(crate) old: Item,
    /// The item that was stored, for its keys.
    pub(crate) stored: Item,
    /// The request.
    pub(crate) request: Item,
    /// What was archived with it.
    pub(crate) archived: Vec<&'f Archived>,
}

/// A row as it may be shown to whoever reads about it: without secrets, and without what secrets were hashed to.
pub(crate) fn mask_row(scope: &Scope, row: &Record) -> Item {
    let mut values = mask_secrets(scope.entity(row.entity), row.values.clone());
    let attributes = scope.entity(row.entity).attributes.iter();
    for attribute in attributes.filter(|attribute| attribute.hashed.is_some()) {
        values.remove(&attribute.name.value);
    }
    values
}

/// The row that these facts make.
pub(crate) fn build_note(
    scope: &Scope,
    target: EntityId,
    set: &[Assignment],
    facts: &NoteSource<'_>,
) -> Result<Record, Interrupt> {
    let declared = scope.entity(target);
    let mut values = Item::new();
    let mut wrong = Vec::new();
    for attribute in &declared.attributes {
        let name = &attribute.name.value;
        let assigned = set.iter().find(|assignment| assignment.name.value == *name);
        let value = match assigned {
            Some(assignment) => match assigned_value(scope, facts, attribute, &assignment.value) {
                Ok(value) => value,
                Err(problem) => {
                    wrong.push(FieldError::new(name, problem));
                    None
                }
            },
            None if record::is_set_by_the_store(attribute) => None,
            None => copied(facts, attribute, name),
        };
        if let Some(value) = value {
            values.insert(name.clone(), value);
        }
    }
    for (name, _) in facts.copied.iter() {
        if let (None, Some(family)) = (declared.attribute(name), declared.family(name))
            && let Some(value) = copied(facts, &family.attribute, name)
        {
            values.insert(name.clone(), value);
        }
    }
    if wrong.is_empty() {
        let entity = target;
        record::fill_copy(
            scope.model(),
            Record { entity, values },
            &scope.circumstances,
        )
        .map_err(|error| scope.refused(target, vec![error]).into())
    } else {
        Err(scope.refused(target, wrong).into())
    }
}

/// A value of the same name. What old rows hold is kept as it is, also where the model would not take it today.
fn copied(facts: &NoteSource<'_>, attribute: &Attribute, name: &str) -> Option<AttributeValue> {
    let value = facts.copied.get(name)?.clone();
    match value::accept(&attribute.kind, value.clone()) {
        Ok(accepted) => Some(accepted),
        Err(_) => (!facts.is_given).then_some(value),
    }
}

fn assigned_value(
    scope: &Scope,
    facts: &NoteSource<'_>,
    attribute: &Attribute,
    value: &Assigned,
) -> Result<Option<AttributeValue>, Problem> {
    let found = match value {
        Assigned::Template(template) => {
            render_note(scope, facts, attribute, template).or_else(|| {
                let wanted = !attribute.presence.optional && names_the_caller(template);
                wanted.then(|| somebody(scope, attribute)).flatten()
            })
        }
        constant => assignment::assigned_value(scope, &facts.row, constant),
    };
    found
        .map(|found| value::accept(&attribute.kind, found))
        .transpose()
}

fn render_note(
    scope: &Scope,
    facts: &NoteSource<'_>,
    attribute: &Attribute,
    template: &Template,
) -> Option<AttributeValue> {
    // What stands alone keeps its type, and a time all its digits.
    if let [Part::Field(field)] = template.parts.as_slice()
        && let ([Source::Path { root, names, .. }], []) =
            (field.sources.as_slice(), field.formats.as_slice())
    {
        if *root == Some(Root::Now) {
            return record::time(&attribute.kind, &scope.circumstances, 0);
        }
        let names = names.iter().map(|name| name.value.as_str()).collect();
        if let Some(value) = own(scope, facts, &SourcePath { root: *root, names }) {
            return Some(value.clone());
        }
    }
    let text = render(template, |path| match own(scope, facts, path) {
        Some(value) => value::show(value),
        None => other(scope, path),
    });
    text.ok()
        .and_then(|text| value::read(&attribute.kind, text))
}

/// What these facts say of a path.
fn own<'f>(
    scope: &Scope,
    facts: &'f NoteSource<'_>,
    path: &SourcePath<'_>,
) -> Option<&'f AttributeValue> {
    let first = *path.names.first()?;
    let key = || {
        let table = scope.entity(facts.of?).table;
        let is_key = scope.compiled().is_key_attribute(table, first);
        is_key.then(|| facts.stored.get(first)).flatten()
    };
    match (path.root, path.names.as_slice()) {
        (None, [_]) => facts.row.get(first).or_else(key),
        (Some(Root::Old), [_]) => facts.old.get(first).or_else(key),
        (Some(Root::Row), [_]) => key().or_else(|| facts.old.get(first)),
        (Some(Root::Request), [_]) => facts.request.get(first),
        (Some(Root::Archive), [_, name]) => {
            let mut archived = facts.archived.iter();
            archived
                .find(|archived| archived.archive == first)
                .and_then(|archived| archived.item.get(name))
        }
        _ => None,
    }
}

/// What everything knows: the time, the caller, the tenant, the settings.
fn other(scope: &Scope, path: &SourcePath<'_>) -> Option<Shown> {
    template::find_value(scope.model(), &Item::new(), path, &scope.circumstances)
}

fn names_the_caller(template: &Template) -> bool {
    let mut sources = template.fields().flat_map(|field| &field.sources);
    sources.any(|source| {
        matches!(
            source,
            Source::Path {
                root: Some(Root::Principal),
                ..
            }
        )
    })
}

/// The program itself and callers who do not say who they are have a name too: what they do is noted all the same.
fn somebody(scope: &Scope, attribute: &Attribute) -> Option<AttributeValue> {
    let word = if scope.asks_rights() {
        "anonymous"
    } else {
        "program"
    };
    std::iter::once(word)
        .chain(NOBODY)
        .find_map(|name| value::accept(&attribute.kind, AttributeValue::S(name.to_owned())).ok())
}

/// Adds such a row to what is written, and gives its item back.
pub(crate) fn push_note(run: &mut Run<'_>, row: Record) -> Result<Item, Interrupt> {
    let row = times::free(run, row)?;
    let item = run.reader.encode(&row)?;
    run.push(ItemChange::new(Cause::Noted, None, Some(row)));
    Ok(item)
}
