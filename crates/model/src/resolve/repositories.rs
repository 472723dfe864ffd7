//! Repositories: what the head, the log, the rows of a snapshot and the intent must have.
//!
//! A commit has only the head, the new revision and the time. So their keys show nothing else: every row of a
//! repository can be found from its head.

mod count;
mod intent;
mod references;
mod snapshot;

use super::names::Names;
use super::notes;
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Attribute, Entity, EntityId, Model, Repository, Role, Template};
use crate::span::Name;
use crate::syntax::repository::Repository as Declared;

pub(super) fn repository(
    declared: &Declared,
    model: &Model,
    names: &Names,
    findings: &mut Findings,
) -> Option<Repository> {
    let head = row(declared.head.as_ref(), model, names, findings);
    let log = row(declared.log.as_ref(), model, names, findings);
    let intent = row(declared.intent.as_ref(), model, names, findings);
    let versioned: Vec<_> = declared
        .entities
        .iter()
        .filter_map(|name| row(Some(name), model, names, findings))
        .collect();
    if declared.entities.is_empty() {
        let message = "a snapshot has rows of at least one entity";
        let found = Diagnostic::new(Code::MissingKey, declared.span, message);
        findings.push(found.help("name the versioned entities in `entities`"));
    }
    let (head, log, intent) = (head?, log?, intent?);
    let Some(revision) = log.entity.id.as_deref() else {
        findings.push(log.no_id());
        return None;
    };
    let parts = Parts {
        name: &declared.name,
        model,
        head_key: head.entity.key_attributes(),
        revision,
        head,
        log,
        intent,
        versioned,
    };
    let pointer = references::pointer(&parts, findings);
    let parent = references::parent(&parts, findings);
    let count = count::count(&parts, declared.count.as_ref(), findings);
    parts.check_log(findings);
    snapshot::check(&parts, findings);
    intent::check(&parts, findings);
    Some(Repository {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        revision: Name::new(revision.to_owned(), declared.span),
        head: head.id,
        pointer: pointer?,
        log: log.id,
        parent,
        count,
        entities: parts.versioned.iter().map(|row| row.id).collect(),
        intent: intent.id,
        span: declared.span,
    })
}

/// A kind of row that a repository names.
#[derive(Clone, Copy)]
struct Row<'m> {
    /// As the repository names it.
    name: &'m Name,
    id: EntityId,
    entity: &'m Entity,
}

/// What a repository is made of.
struct Parts<'m> {
    name: &'m Name,
    model: &'m Model,
    head: Row<'m>,
    log: Row<'m>,
    intent: Row<'m>,
    /// The rows of a snapshot.
    versioned: Vec<Row<'m>>,
    /// The attributes that tell one head from another.
    head_key: Vec<&'m str>,
    /// The log's id.
    revision: &'m str,
}

/// The entity of that name, if it has rows.
/// A dense order and the top of a tree are kept by commits, of the rows of a snapshot as a whole; other rows have neither.
pub(super) fn check_others(model: &Model, findings: &mut Findings) {
    for (id, entity) in model.stored() {
        if model.repository_of(id).is_some() {
            continue;
        }
        for attribute in &entity.attributes {
            let ordered = attribute.position.is_some() && entity.each.is_empty();
            let word = match (&attribute.top, ordered) {
                (Some(_), _) => "top",
                (None, true) => "position",
                (None, false) => continue,
            };
            let message = format!(
                "`{word}` is kept in the snapshots of a repository, and `{}` is in none",
                entity.name.value
            );
            findings.error(Code::Contradiction, attribute.span, message);
        }
    }
}

fn row<'m>(
    name: Option<&'m Name>,
    model: &'m Model,
    names: &Names,
    findings: &mut Findings,
) -> Option<Row<'m>> {
    let name = name?;
    let id = names.entity(name, findings)?;
    let entity = model.entity(id);
    if !entity.is_stored() {
        let message = format!(
            "`{}` has no key, so a repository has no rows of it",
            name.value
        );
        let found = Diagnostic::new(Code::Contradiction, name.span, message);
        let help = "give it a key, or name an entity that is like it";
        findings.push(found.label(entity.span, "this").help(help));
        return None;
    }
    Some(Row { name, id, entity })
}

impl Row<'_> {
    fn no_id(&self) -> Diagnostic {
        let message = format!(
            "the log of a repository has an id, the revision; `{}` has none",
            self.name.value
        );
        Diagnostic::new(Code::MissingKey, self.name.span, message)
            .help("let the revision be its generated attribute, as in `revId = \"ulid, generated\"`, or say `id`")
    }
}

impl Parts<'_> {
    /// The log of one head is one partition, ordered by time and revision.
    fn check_log(&self, findings: &mut Findings) {
        let log = self.log;
        self.check_revision(findings);
        let Some(key) = log.entity.primary() else {
            return;
        };
        let allowed = self.list(&[]);
        for shown in attributes(&key.hash) {
            if !self.is_of_head(shown) {
                let message = format!(
                    "the partition key of the log `{}` shows `{}`, which is not in the key of the head `{}`",
                    log.name.value, shown.value, self.head.name.value
                );
                let help =
                    format!("the log of one head is one partition: show only {allowed} there");
                findings.push(self.contradiction(shown, message).help(help));
            }
        }
        for shown in key.range.iter().flat_map(attributes) {
            let attribute = log.entity.attribute(&shown.value);
            let is_created = attribute.is_some_and(|found| found.role == Some(Role::Created));
            if !is_created && !self.is_known(shown) {
                let message = format!(
                    "the key of the log `{}` shows `{}`, which a commit cannot know",
                    log.name.value, shown.value
                );
                let known = self.list(&[self.revision]);
                let help = format!("show only {known} and attributes that are `created`");
                findings.push(self.contradiction(shown, message).help(help));
            }
        }
    }

    /// A snapshot is written before its revision is known: an id that was given could be that of another.
    fn check_revision(&self, findings: &mut Findings) {
        let attribute = self.log.entity.attribute(self.revision);
        if let Some(attribute) = attribute.filter(|attribute| attribute.generated.is_none()) {
            let message = format!(
                "the revision `{}` is not generated, so a commit could write into an old snapshot",
                self.revision
            );
            let help = "let the store make it: `generated`, or `generated = ulid`";
            findings.push(self.contradiction(&attribute.name, message).help(help));
        }
    }

    fn is_of_head(&self, name: &Name) -> bool {
        self.head_key.contains(&name.value.as_str())
    }

    /// Whether the head or the revision says it.
    fn is_known(&self, name: &Name) -> bool {
        name.value == self.revision || self.is_of_head(name)
    }

    fn contradiction(&self, at: &Name, message: String) -> Diagnostic {
        Diagnostic::new(Code::Contradiction, at.span, message)
            .label(self.name.span, "the repository")
    }

    /// The head's key attributes and these, for people.
    fn list(&self, more: &[&str]) -> String {
        let mut names = self.head_key.clone();
        names.extend(more.iter().filter(|name| !self.head_key.contains(name)));
        if names.is_empty() {
            "text".to_owned()
        } else {
            quoted(&names)
        }
    }
}

/// The row's own attributes that a template shows.
fn attributes(template: &Template) -> impl Iterator<Item = &Name> {
    template.fields().flat_map(|field| field.attributes())
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn names_of(attributes: &[&Attribute]) -> String {
    let names: Vec<_> = attributes
        .iter()
        .map(|attribute| attribute.name.value.as_str())
        .collect();
    quoted(&names)
}
