//! Whether every path has its chain of folders and its leaf, and every leaf its row.
//!
//! A leaf knows the id of its folder and nothing above it, so a chain is walked up one folder in each round of facts.

use crate::profile::references;
use crate::record::{Record, path_names, path_segments};
use crate::scope::Scope;
use crate::verify::{
    Ask, Candidate, Confirmation, FactSink, FieldReader, Fields, Findings, Remedy, StatedFact,
    StatedRow, Subject, Topic, ViolationKind, entity_at,
};
use monotable_item::AttributeValue;
use monotable_model::model::Path;

/// A row with a path.
const PATH: u8 = 0;
/// Its leaf.
const LEAF: u8 = 1;
/// A folder.
const FOLDER: u8 = 2;
/// A row whose path goes through the folder.
const THROUGH: u8 = 3;

/// What stands between the segments of a path in a fact.
const BETWEEN: char = '\u{0}';

/// States the row as one with a path, as a leaf or as a folder.
pub(crate) fn state(row: &StatedRow<'_>, scope: &Scope, facts: &mut dyn FactSink) {
    if !row.says_tenant {
        return;
    }
    let prefix = scope.addressing().prefix();
    for (position, path) in scope.model().paths.iter().enumerate() {
        let subject = |what: &str, id: &str| {
            Fields::new()
                .text(what)
                .number(position as u64)
                .text(prefix)
                .text(id)
        };
        let base = || {
            Fields::new()
                .number(position as u64)
                .number(row.record.entity.index() as u64)
                .address(row.address)
                .text(prefix)
        };
        let segments = path_segments(path, row.record);
        if path.of == row.record.entity
            && let Some((last, folders)) = segments.split_last()
            && let Some(id) = id_of(scope, row.record)
        {
            let folders = folders.join(&BETWEEN.to_string());
            let fields = base().text(last).text(&folders);
            facts.state(Topic::Paths, subject("row", &id), PATH, fields);
        }
        if path.leaf == row.record.entity
            && let Some(id) = named_row(scope, path, row.record)
        {
            let (parent, segment) = place_of(scope, row.record);
            let fields = base().text(&segment).text(&parent);
            facts.state(Topic::Paths, subject("row", &id), LEAF, fields);
        }
        if path.folder == row.record.entity
            && let Some(id) = id_of(scope, row.record)
        {
            let (parent, segment) = place_of(scope, row.record);
            let fields = base().text(&segment).text(&parent);
            facts.state(Topic::Paths, subject("folder", &id), FOLDER, fields);
        }
    }
}

fn text(value: Option<&AttributeValue>) -> Option<String> {
    match value {
        Some(AttributeValue::S(text)) => Some(text.clone()),
        Some(AttributeValue::N(number)) => Some(number.to_string()),
        _ => None,
    }
}

fn id_of(scope: &Scope, row: &Record) -> Option<String> {
    let id = scope.entity(row.entity).id.as_ref()?;
    text(row.values.get(id))
}

/// The id of the row that a leaf is the leaf of.
fn named_row(scope: &Scope, path: &Path, leaf: &Record) -> Option<String> {
    let mut own = references(scope.entity(leaf.entity));
    let found = own.find(|(_, reference)| reference.target == path.of);
    found.and_then(|(attribute, _)| text(leaf.values.get(&attribute.name.value)))
}

/// The id of the folder above, and the segment.
fn place_of(scope: &Scope, row: &Record) -> (String, String) {
    let Some(names) = path_names(scope.entity(row.entity)) else {
        return Default::default();
    };
    (
        text(row.values.get(names.parent)).unwrap_or_default(),
        text(row.values.get(names.segment)).unwrap_or_default(),
    )
}

/// What every fact about a path says.
struct Entry<'f> {
    position: u64,
    entity: u64,
    address: crate::address::Address,
    prefix: &'f str,
    /// The segment, and what is above it: folders of a path, or the id of the folder.
    segment: &'f str,
    above: &'f str,
}

impl<'f> Entry<'f> {
    fn read(scope: &Scope, mut fields: FieldReader<'f>) -> Option<Self> {
        Some(Self {
            position: fields.number()?,
            entity: fields.number()?,
            address: fields.address(scope)?,
            prefix: fields.text()?,
            segment: fields.text()?,
            above: fields.text()?,
        })
    }

    fn folder(&self, id: &str) -> Fields {
        Fields::new()
            .text("folder")
            .number(self.position)
            .text(self.prefix)
            .text(id)
    }
}

/// Judges a row with its leaf, or a folder with what goes through it.
pub(crate) fn judge(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    let mut facts: Vec<StatedFact> = Vec::new();
    let mut folder: Option<StatedFact> = None;
    while let Some(fact) = subject.next_fact() {
        match fact.rank {
            PATH | LEAF => facts.push(fact),
            FOLDER => {
                state_folder(subject, &fact, findings);
                folder = Some(fact);
            }
            _ => climb(subject, folder.as_ref(), &fact, findings),
        }
    }
    judge_leaf(subject, &facts, findings);
}

/// Folders are needed again as long as a chain is walked up.
fn state_folder(subject: &Subject<'_>, fact: &StatedFact, findings: &mut Findings<'_>) {
    let Some(entry) = Entry::read(findings.scope, fact.fields()) else {
        return;
    };
    let mut key = FieldReader(&subject.key().key);
    key.text();
    key.number();
    key.text();
    let Some(id) = key.text() else {
        return;
    };
    let fields = Fields::new()
        .number(entry.position)
        .number(entry.entity)
        .address(&entry.address)
        .text(entry.prefix)
        .text(entry.segment)
        .text(entry.above);
    findings.state_again((Topic::Paths, entry.folder(id)), FOLDER, &fields, false);
}

fn judge_leaf(
    subject: &Subject<'_>,
    facts: &[StatedFact],
    findings: &mut Findings<'_>,
) -> Option<()> {
    let scope = findings.scope;
    let entries: Vec<_> = facts
        .iter()
        .filter_map(|fact| Some((fact.rank, Entry::read(scope, fact.fields())?)))
        .collect();
    let row = entries.iter().find(|(rank, _)| *rank == PATH);
    let leaves = || entries.iter().filter(|(rank, _)| *rank == LEAF);
    let is_only = leaves().count() == 1;
    let mut found = false;
    for (_, leaf) in leaves() {
        let fits = row.is_some_and(|(_, row)| is_same(row.segment, leaf.segment));
        if fits && !found {
            found = true;
            let (_, row) = row?;
            go_on(row, leaf.above, row.above, findings);
            // Of several leaves, the folders above tell which one is the row's: all of them are asked.
            if is_only {
                continue;
            }
        }
        findings.push(Candidate {
            told: ViolationKind::Path.into(),
            subject: subject.key().clone(),
            entity: entity_at(scope, leaf.entity)?,
            address: leaf.address.clone(),
            message: "it is the leaf of a row that has no such path".to_owned(),
            confirmation: Confirmation::Ask(Ask::Leaf(usize::try_from(leaf.position).ok()?)),
            remedy: Some(Remedy::Delete(leaf.address.clone())),
        });
    }
    if let (Some((_, row)), false) = (row, found) {
        push_broken(subject, row, "its path has no leaf", findings);
    }
    Some(())
}

/// Whether two texts are one segment: keys of folders and leaves may show it in small letters.
fn is_same(one: &str, other: &str) -> bool {
    one == other || one.to_lowercase() == other.to_lowercase()
}

/// Goes on with the folder above, in the next round; at the top nothing may be left.
fn go_on(row: &Entry<'_>, parent: &str, left: &str, findings: &mut Findings<'_>) {
    if parent.is_empty() && left.is_empty() {
        return;
    }
    let fields = Fields::new()
        .number(row.position)
        .number(row.entity)
        .address(&row.address)
        .text(row.prefix)
        .text(row.segment)
        .text(left);
    findings.state_again((Topic::Paths, row.folder(parent)), THROUGH, &fields, true);
}

fn climb(
    subject: &Subject<'_>,
    folder: Option<&StatedFact>,
    fact: &StatedFact,
    findings: &mut Findings<'_>,
) {
    let scope = findings.scope;
    let Some(row) = Entry::read(scope, fact.fields()) else {
        return;
    };
    let folder = folder.and_then(|folder| Entry::read(scope, folder.fields()));
    let (above, last) = match row.above.rsplit_once(BETWEEN) {
        Some((above, last)) => (above, last),
        None => ("", row.above),
    };
    match folder {
        Some(folder) if is_same(folder.segment, last) => {
            go_on(&row, folder.above, above, findings);
        }
        _ => push_broken(subject, &row, "its path lacks a folder", findings),
    }
}

fn push_broken(subject: &Subject<'_>, row: &Entry<'_>, message: &str, findings: &mut Findings<'_>) {
    let entity = entity_at(findings.scope, row.entity);
    let position = usize::try_from(row.position).ok();
    let (Some(entity), Some(position)) = (entity, position) else {
        return;
    };
    findings.push(Candidate {
        told: ViolationKind::Path.into(),
        subject: subject.key().clone(),
        entity,
        address: row.address.clone(),
        message: message.to_owned(),
        confirmation: Confirmation::Ask(Ask::Path(position)),
        remedy: Some(Remedy::MakePath(position)),
    });
}
