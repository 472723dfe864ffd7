//! One head with everything that belongs to it.

use super::tree::{Flaw, Revision, find_flaws};
use super::{HEAD, INTENT, REVISION, ROW};
use crate::address::Address;
use crate::profile::references;
use crate::verify::{
    Ask, Candidate, Confirmation, FieldReader, Findings, NoteKind, Subject, SubjectKey, Told,
    UnfinishedKind, ViolationKind,
};
use monotable_model::model::{EntityId, Repository};
use std::collections::{BTreeMap, BTreeSet};

/// How long a commit may take before it counts as left, in microseconds.
const COMMIT_TIME: u64 = 60 * 60 * 1_000_000;

/// What belongs to one head.
#[derive(Default)]
struct History {
    head: Option<(String, Address)>,
    log: BTreeMap<String, Revision>,
    intents: Vec<Intent>,
    /// The revisions that have rows, and the first of them.
    rows: BTreeMap<String, Address>,
}

struct Intent {
    revision: String,
    is_claimed: bool,
    began: u64,
    address: Address,
}

impl History {
    fn add(
        &mut self,
        rank: u8,
        mut fields: FieldReader<'_>,
        findings: &Findings<'_>,
    ) -> Option<()> {
        let revision = fields.text()?.to_owned();
        let more = fields.text()?;
        let time = fields.number()?;
        let address = fields.address(findings.scope)?;
        match rank {
            HEAD => self.head = Some((revision, address)),
            REVISION => {
                let parent = (!more.is_empty()).then(|| more.to_owned());
                let known = Revision {
                    parent,
                    time,
                    address,
                    counted: fields.number(),
                };
                self.log.insert(revision, known);
            }
            INTENT => self.intents.push(Intent {
                revision,
                is_claimed: !more.is_empty(),
                began: time,
                address,
            }),
            ROW => {
                self.rows.entry(revision).or_insert(address);
            }
            _ => {}
        }
        Some(())
    }
}

/// Judges one head, its log, its intents and which snapshots are there.
pub(crate) fn judge(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    let mut key = FieldReader(&subject.key().key);
    let position = key.number().and_then(|number| usize::try_from(number).ok());
    let head = key.address(findings.scope);
    let (Some(position), Some(head)) = (position, head) else {
        return;
    };
    let mut history = History::default();
    while let Some(fact) = subject.next_fact() {
        history.add(fact.rank, fact.fields(), findings);
    }
    let scope = findings.scope;
    let Some(repository) = scope.model().repositories.get(position) else {
        return;
    };
    let case = Case {
        subject: subject.key().clone(),
        position,
        repository,
        head,
        history,
    };
    let mut found = case.contradictions(findings);
    found.extend(case.unfinished(findings));
    if findings.is_confirming() {
        found.into_iter().for_each(|found| findings.push(found));
    } else {
        // What is there now is read as a whole: a commit changes several rows that were read at several times.
        if let Some(first) = found.into_iter().next() {
            findings.push(Candidate {
                confirmation: Confirmation::Ask(Ask::History {
                    repository: position,
                    rows: case.unlogged_rows(),
                }),
                address: case.head.clone(),
                ..first
            });
        }
        case.ask_snapshots(findings);
    }
}

struct Case<'m> {
    subject: SubjectKey,
    position: usize,
    repository: &'m Repository,
    head: Address,
    history: History,
}

impl Case<'_> {
    fn candidate(
        &self,
        told: impl Into<Told>,
        entity: EntityId,
        address: &Address,
        message: String,
    ) -> Candidate {
        Candidate {
            told: told.into(),
            subject: self.subject.clone(),
            entity,
            address: address.clone(),
            message,
            confirmation: Confirmation::Rejudge(Vec::new()),
            remedy: None,
        }
    }

    /// The first rows of revisions that the log does not know.
    fn unlogged_rows(&self) -> Vec<Address> {
        let rows = self.history.rows.iter();
        let unlogged = rows.filter(|(revision, _)| !self.history.log.contains_key(*revision));
        unlogged.map(|(_, address)| address.clone()).collect()
    }

    fn contradictions(&self, findings: &Findings<'_>) -> Vec<Candidate> {
        let (history, repository) = (&self.history, self.repository);
        let mut found = Vec::new();
        match &history.head {
            None => {
                if let Some(last) = history.log.values().max_by_key(|revision| revision.time) {
                    let message = "its head is not there".to_owned();
                    let kind = ViolationKind::History;
                    found.push(self.candidate(kind, repository.log, &last.address, message));
                }
            }
            Some((revision, address)) if !history.log.contains_key(revision) => {
                let name = &repository.pointer.value;
                let message = format!("`{name}` names {revision}, which is not in the log");
                let kind = ViolationKind::Reference;
                found.push(self.candidate(kind, repository.head, address, message));
            }
            Some(_) => {}
        }
        found.extend(self.flaws(findings));
        found.extend(self.snapshots(findings));
        found
    }

    fn flaws(&self, findings: &Findings<'_>) -> Vec<Candidate> {
        let (log, repository) = (&self.history.log, self.repository);
        let mut found = Vec::new();
        for (name, flaw) in find_flaws(log, repository.parent.is_some()) {
            let Some(revision) = log.get(name) else {
                continue;
            };
            let parent = revision.parent.as_deref().unwrap_or_default();
            let (kind, message) = match flaw {
                Flaw::NoParent => {
                    let mut own = references(findings.scope.entity(repository.log));
                    let own = own.find(|(_, reference)| reference.target == repository.log);
                    let attribute = own.map_or("", |(attribute, _)| &attribute.name.value);
                    let message = format!("`{attribute}` names {parent}, which is not in the log");
                    (ViolationKind::Reference, message)
                }
                Flaw::Cycle => (
                    ViolationKind::History,
                    "the revisions before it lead back to it".to_owned(),
                ),
                Flaw::Older => (
                    ViolationKind::History,
                    format!("it is older than {parent}, which it follows"),
                ),
                Flaw::SecondRoot => (
                    ViolationKind::History,
                    "it follows nothing, and is not the first revision".to_owned(),
                ),
            };
            found.push(self.candidate(kind, repository.log, &revision.address, message));
        }
        found
    }

    /// Snapshots that are in no log, and revisions without one.
    fn snapshots(&self, findings: &Findings<'_>) -> Vec<Candidate> {
        let (history, repository) = (&self.history, self.repository);
        let pending: BTreeSet<&str> = history
            .intents
            .iter()
            .map(|intent| intent.revision.as_str())
            .collect();
        let mut found = Vec::new();
        for (revision, address) in &history.rows {
            if !history.log.contains_key(revision) && !pending.contains(revision.as_str()) {
                let message = "rows of a revision that is in no log".to_owned();
                let entity = repository.entities.first().copied();
                let entity = entity.unwrap_or(repository.log);
                found.push(self.candidate(ViolationKind::Orphan, entity, address, message));
            }
        }
        let followed: BTreeSet<&str> = history
            .log
            .values()
            .filter_map(|revision| revision.parent.as_deref())
            .chain(history.head.iter().map(|(revision, _)| revision.as_str()))
            .collect();
        let never_empties = self.never_empties(findings);
        for (name, revision) in &history.log {
            if history.rows.contains_key(name) || revision.counted == Some(0) {
                continue;
            }
            let had_rows = revision
                .parent
                .as_ref()
                .is_some_and(|parent| history.rows.contains_key(parent));
            let (told, message): (Told, _) = if revision.counted.is_some() {
                (
                    ViolationKind::History.into(),
                    "its snapshot is lost: it says that it has rows",
                )
            } else if !followed.contains(name.as_str()) {
                (
                    ViolationKind::Abandoned.into(),
                    "it has no rows, and nothing follows it",
                )
            } else if had_rows && never_empties {
                (
                    ViolationKind::History.into(),
                    "its snapshot is lost: rows of the revision before stay in every later one",
                )
            } else {
                (
                    NoteKind::Empty.into(),
                    "it has no rows: all were taken out, or its snapshot is lost",
                )
            };
            let message = message.to_owned();
            found.push(self.candidate(told, repository.log, &revision.address, message));
        }
        found
    }

    /// Whether a row that was committed once stays in all later snapshots, because deleting it only sets its tombstone.
    fn never_empties(&self, findings: &Findings<'_>) -> bool {
        let mut entities = self.repository.entities.iter();
        entities.any(|entity| !findings.scope.entity(*entity).tombstone.is_empty())
    }

    fn unfinished(&self, findings: &Findings<'_>) -> Vec<Candidate> {
        let now = u64::try_from(findings.scope.circumstances.now_micros).unwrap_or(0);
        let mut found = Vec::new();
        for intent in &self.history.intents {
            let is_old = now.saturating_sub(intent.began) > COMMIT_TIME;
            if !(is_old || intent.is_claimed || self.history.log.contains_key(&intent.revision)) {
                continue;
            }
            let message = format!("the commit of {} has not ended", intent.revision);
            found.push(self.candidate(
                UnfinishedKind::Commit,
                self.repository.intent,
                &intent.address,
                message,
            ));
        }
        found
    }

    /// Has the rows of every snapshot held against each other.
    fn ask_snapshots(&self, findings: &mut Findings<'_>) {
        let entity = self.repository.entities.first().copied();
        for (revision, address) in &self.history.rows {
            let Some(logged) = self.history.log.get(revision) else {
                continue;
            };
            let entity = entity.unwrap_or(self.repository.log);
            findings.push(Candidate {
                confirmation: Confirmation::Ask(Ask::Snapshot {
                    repository: self.position,
                    counted: logged.counted,
                }),
                ..self.candidate(ViolationKind::Snapshot, entity, address, String::new())
            });
        }
    }
}
