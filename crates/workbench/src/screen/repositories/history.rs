//! The revisions of a repository.

use crate::context::OpenModel;
use crate::time::show_day;
use crate::value::show_value;
use jiff::Timestamp;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Attribute, Entity, Kind, Repository, Role};
use monotable_store::{AnyOperation, AnyOutput, Error, Log, Options, Row};

/// So many revisions are read: newer ones first.
const MOST_REVISIONS: usize = 200;

/// A revision.
pub(super) struct Revision {
    pub(super) id: String,
    pub(super) parent: Option<String>,
    pub(super) title: String,
    pub(super) about: String,
    pub(super) at: Option<Timestamp>,
    /// Whether it is the head or one of those that lead to it.
    pub(super) is_on_line: bool,
}

/// The revisions of a repository, the newest first.
pub(super) struct History {
    pub(super) revisions: Vec<Revision>,
    pub(super) head: Option<String>,
}

/// Two revisions that are compared; without an earlier one, nothing is.
pub(super) struct Choice<'h> {
    pub(super) from: Option<&'h Revision>,
    pub(super) to: Option<&'h Revision>,
}

impl History {
    pub(super) async fn read(
        open: &OpenModel,
        repository: &Repository,
        key: &Item,
    ) -> Result<Self, Error> {
        let log = Log {
            repository: repository.name.value.clone(),
            key: key.clone(),
            limit: Some(MOST_REVISIONS),
            ..Log::default()
        };
        let output = open
            .store
            .run(AnyOperation::Log(log), Options::default())
            .await?;
        let AnyOutput::Page(page) = output else {
            return Ok(Self {
                revisions: Vec::new(),
                head: None,
            });
        };
        let pointer = &repository.pointer.value;
        let head = page
            .followed
            .first()
            .and_then(|row| row.get(pointer))
            .map(show_value);
        let entity = open.model().entity(repository.log);
        let mut revisions: Vec<Revision> = page
            .rows
            .iter()
            .map(|row| read_revision(entity, repository, row))
            .collect();
        mark_line(&mut revisions, head.as_deref());
        Ok(Self { revisions, head })
    }

    pub(super) fn find(&self, id: &str) -> Option<&Revision> {
        self.revisions.iter().find(|revision| revision.id == id)
    }

    /// The revisions that the address names; without them the head, and what it follows.
    pub(super) fn choose(&self, from: Option<&str>, to: Option<&str>) -> Choice<'_> {
        let head = self.head.as_deref().and_then(|head| self.find(head));
        let to = to
            .and_then(|to| self.find(to))
            .or(head)
            .or(self.revisions.first());
        let parent = to
            .and_then(|to| to.parent.as_deref())
            .and_then(|parent| self.find(parent));
        let from = from.and_then(|from| self.find(from)).or(parent);
        Choice { from, to }
    }

    /// What a new revision has to say.
    pub(super) fn list_asked<'m>(
        &self,
        open: &'m OpenModel,
        repository: &Repository,
    ) -> Vec<&'m Attribute> {
        let log = open.model().entity(repository.log);
        let parent = repository.parent.as_ref().map(|name| name.value.as_str());
        let key = log.key_attributes();
        let attributes = log.attributes.iter().filter(|attribute| {
            let name = attribute.name.value.as_str();
            attribute.must_be_given() && !key.contains(&name) && Some(name) != parent
        });
        let counted = repository.count.as_ref().map(|name| name.value.as_str());
        attributes
            .filter(|attribute| Some(attribute.name.value.as_str()) != counted)
            .collect()
    }
}

fn read_revision(log: &Entity, repository: &Repository, row: &Row) -> Revision {
    let id_name = find_id(log, repository);
    let parent = repository
        .parent
        .as_ref()
        .and_then(|name| row.get(&name.value))
        .map(show_value);
    let texts: Vec<String> = log
        .attributes
        .iter()
        .filter(|attribute| {
            matches!(attribute.kind, Kind::Text(_) | Kind::Enum(_)) && attribute.reference.is_none()
        })
        .filter(|attribute| {
            !log.key_attributes()
                .contains(&attribute.name.value.as_str())
                && attribute.computed.is_none()
        })
        .filter_map(|attribute| match row.get(&attribute.name.value) {
            Some(AttributeValue::S(text)) if attribute.name.value != id_name => Some(text.clone()),
            _ => None,
        })
        .collect();
    let at = find_time(log, row);
    let id = row.get(&id_name).map(show_value).unwrap_or_default();
    let mut texts = texts.into_iter();
    let title = texts.next().unwrap_or_else(|| id.clone());
    let when = at.map(show_day);
    let about: Vec<String> = when.into_iter().chain(texts.next()).collect();
    Revision {
        title,
        about: about.join(" · "),
        at,
        parent,
        id,
        is_on_line: false,
    }
}

/// The attribute that names a revision.
fn find_id(log: &Entity, repository: &Repository) -> String {
    match &log.id {
        Some(id) => id.clone(),
        None => repository.revision.value.clone(),
    }
}

fn find_time(log: &Entity, row: &Row) -> Option<Timestamp> {
    let stamped = log
        .attributes
        .iter()
        .filter(|attribute| attribute.role == Some(Role::Created));
    let times = log
        .attributes
        .iter()
        .filter(|attribute| matches!(attribute.kind, Kind::Timestamp(_)));
    stamped.chain(times).find_map(|attribute| {
        let text = show_value(row.get(&attribute.name.value)?);
        monotable_model::compiled::Instant::parse(&text)
            .ok()
            .and_then(|at| Timestamp::from_microsecond(at.to_micros()).ok())
    })
}

/// Follows the parents of the head.
fn mark_line(revisions: &mut [Revision], head: Option<&str>) {
    let mut next = head.map(str::to_owned);
    for _ in 0..revisions.len() {
        let Some(id) = next.take() else {
            break;
        };
        if let Some(revision) = revisions
            .iter_mut()
            .find(|revision| revision.id == id && !revision.is_on_line)
        {
            revision.is_on_line = true;
            next = revision.parent.clone();
        }
    }
}
