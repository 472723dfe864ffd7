//! M109: attributes of index keys that entities fill in ways that exclude each other.
//!
//! An attribute has one type in a table and one value in a row, however many indexes have it in their keys.

use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{
    Attribute, Entity, EntityId, Index, Key, KeyKind, Kind, Table, TableId, Template,
};
use monotable_model::span::Name;

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (id, entity) in subject.model.stored() {
        let table = subject.model.table(entity.table);
        for key in &entity.keys {
            let Some(index) = table.index_at(key.place) else {
                continue;
            };
            kinds(subject, id, entity, index, key, report);
            if index.further.is_empty() {
                continue;
            }
            shared_condition(id, entity, table, index, key, report);
            prefixed_behind(subject, id, table, index, key, report);
        }
        contradictions(subject, id, entity, table, report);
    }
}

/// The attributes of an index with the templates of an entity's key there.
fn parts<'a>(
    index: &'a Index,
    key: &'a Key,
) -> impl Iterator<Item = (usize, &'a Name, &'a Template)> {
    let parts = index.attributes().zip(key.templates()).enumerate();
    parts.map(|(position, (name, template))| (position, name, template))
}

fn own_attribute<'e>(entity: &'e Entity, name: &Name) -> Option<&'e Attribute> {
    let mut attributes = entity.attributes.iter();
    attributes.find(|attribute| attribute.stored == name.value && !attribute.key_only)
}

/// A key is text or a number, and of one kind in all rows of a table.
fn kinds(
    subject: &Subject<'_>,
    id: EntityId,
    entity: &Entity,
    index: &Index,
    key: &Key,
    report: &mut Report,
) {
    for (position, name, template) in parts(index, key) {
        let attribute = own_attribute(entity, name).filter(|_| key.is_own(position));
        let wanted = subject.model.key_kind(entity.table, &name.value);
        if let Some(attribute) = attribute.filter(|attribute| !can_be_key(&attribute.kind)) {
            let message = format!(
                "`{}` is a key of `{}`, and a key is text or a number",
                name.value, index.name.value
            );
            let diagnostic = Diagnostic::new(Code::Contradiction, attribute.span, message)
                .label(index.span, "the index")
                .help("give the index an attribute of another name, and fill it by a template");
            report.entity(id, diagnostic);
            continue;
        }
        let is_number = attribute.is_some_and(|attribute| attribute.kind.is_number());
        if wanted == KeyKind::Number && !is_number {
            let other = number_owner(subject, entity.table, name);
            let message = format!(
                "`{}` is text in `{}`, and a number in `{other}`: a key of `{}` has one type",
                name.value, entity.name.value, index.name.value
            );
            let span = attribute.map_or(template.span, |attribute| attribute.span);
            let diagnostic = Diagnostic::new(Code::Contradiction, span, message)
                .label(index.span, "the index")
                .help("give one of them an attribute of another name");
            report.entity(id, diagnostic);
        }
    }
}

const fn can_be_key(kind: &Kind) -> bool {
    !matches!(
        kind,
        Kind::Boolean | Kind::Binary | Kind::Map | Kind::List { .. }
    )
}

fn number_owner<'m>(subject: &Subject<'m>, table: TableId, name: &Name) -> &'m str {
    let owner = subject.model.stored().find(|(_, entity)| {
        let own = own_attribute(entity, name);
        entity.table == table && own.is_some_and(|own| own.kind.is_number())
    });
    owner.map_or("another entity", |(_, entity)| &entity.name.value)
}

/// What one template writes must not be what another one writes, too, with another text.
fn contradictions(
    subject: &Subject<'_>,
    id: EntityId,
    entity: &Entity,
    table: &Table,
    report: &mut Report,
) {
    let has_prefix =
        |key: &Key, position: usize| subject.model.tenant.is_some() && position == 0 && !key.global;
    let mut written: Vec<(&Index, &Name, &Template, bool)> = Vec::new();
    for key in entity.keys.iter().filter(|key| !key.implied) {
        let Some(index) = table.index_at(key.place) else {
            continue;
        };
        for (position, name, template) in parts(index, key) {
            if key.is_own(position) {
                continue;
            }
            let prefix = has_prefix(key, position);
            let other = written.iter().find(|(other, known, text, known_prefix)| {
                let several = !other.further.is_empty() || !index.further.is_empty();
                let differs = text.text != template.text || *known_prefix != prefix;
                several && known.value == name.value && differs
            });
            if let Some((other, _, text, _)) = other {
                let message = format!(
                    "`{}` is a key of `{}` and of `{}`, and a row has one value there",
                    name.value, other.name.value, index.name.value
                );
                let diagnostic = Diagnostic::new(Code::Contradiction, template.span, message)
                    .label(text.span, "filled otherwise here")
                    .help("fill it alike in both, with the tenant's prefix or without it, or give one index an attribute of its own");
                report.entity(id, diagnostic);
            }
            written.push((index, name, template, prefix));
        }
    }
}

/// A condition keeps a row out of an index by what it does not write there.
fn shared_condition(
    id: EntityId,
    entity: &Entity,
    table: &Table,
    index: &Index,
    key: &Key,
    report: &mut Report,
) {
    let Some(when) = &key.when else {
        return;
    };
    let is_elsewhere = |name: &Name| {
        let mut keys = entity.keys.iter().filter(|other| other.place != key.place);
        keys.any(|other| {
            let mut parts = table.index_at(other.place).into_iter();
            parts.any(|index| {
                let mut written = parts_written(index, other);
                written.any(|known| known.value == name.value)
            })
        })
    };
    if parts_written(index, key).all(is_elsewhere) {
        let message = format!(
            "a row is in `{}` whenever it has all its attributes, and nothing writes one of them for this index alone",
            index.name.value
        );
        let diagnostic = Diagnostic::new(Code::Contradiction, when.span(), message)
            .label(index.span, "the index")
            .help("give the index an attribute that only its template fills");
        report.entity(id, diagnostic);
    }
}

/// The attributes that a key writes in an index.
fn parts_written<'a>(index: &'a Index, key: &'a Key) -> impl Iterator<Item = &'a Name> {
    let written = parts(index, key).filter(|(position, ..)| !key.is_own(*position));
    written.map(|(_, name, _)| name)
}

/// The table's partition key has the tenant's prefix, and a condition puts it before the first attribute only.
fn prefixed_behind(
    subject: &Subject<'_>,
    id: EntityId,
    table: &Table,
    index: &Index,
    key: &Key,
    report: &mut Report,
) {
    let entity = subject.model.entity(id);
    let is_prefixed = entity.primary().is_some_and(|primary| !primary.global);
    if subject.model.tenant.is_none() || !is_prefixed {
        return;
    }
    let behind = parts(index, key).skip(1);
    for (_, name, template) in behind.filter(|(_, name, _)| name.value == table.hash.value) {
        let message = format!(
            "`{}` begins with the tenant's prefix, which can only stand in the first attribute of `{}`",
            name.value, index.name.value
        );
        let span = if key.implied {
            index.span
        } else {
            template.span
        };
        let diagnostic = Diagnostic::new(Code::Contradiction, span, message)
            .help("put it first, or use an attribute without the prefix");
        report.entity(id, diagnostic);
    }
}
