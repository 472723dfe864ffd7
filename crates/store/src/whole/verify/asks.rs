//! What is decided by reads: checks, snapshots, histories and paths.

use super::confirm::{Items, judge_again};
use super::{Content, Inspection};
use crate::address::Address;
use crate::error::{Error, ErrorKind};
use crate::interrupt::Interrupt;
use crate::mechanism::{checks, paths};
use crate::reader::OwnedReader;
use crate::record::Record;
use crate::repository;
use crate::scope::Scope;
use crate::steps::Steps;
use crate::verify::{Ask, Candidate, Confirmation, FactFilter};
use futures_util::stream::{self, StreamExt};
use monotable_item::Item;
use monotable_model::model::TableId;
use std::collections::BTreeSet;

/// How many questions are under way at once.
const PARALLEL: usize = 8;

/// A question to the store, with the row that it is about.
struct Question {
    candidate: Candidate,
    ask: Ask,
    scope: Scope,
    record: Option<Record>,
}

/// What came of a question.
enum Answer {
    /// It is as it should be.
    Fine,
    /// The candidate is so.
    Wrong(Candidate),
    /// These sentences are wrong of it.
    Messages(Candidate, Vec<String>),
    /// Everything of one head.
    History(Candidate, Vec<(TableId, Item)>),
}

impl Inspection<'_> {
    /// Asks, and gives back what is wrong.
    pub(super) async fn ask(
        &mut self,
        candidates: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, Error> {
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        let addresses: BTreeSet<Address> = candidates
            .iter()
            .flat_map(|candidate| {
                let more = match &candidate.confirmation {
                    Confirmation::Ask(Ask::History { rows, .. }) => rows.as_slice(),
                    _ => &[],
                };
                std::iter::once(&candidate.address).chain(more)
            })
            .cloned()
            .collect();
        let items = self.store.read_items(&addresses).await?;
        let mut questions = Vec::new();
        for candidate in candidates {
            questions.extend(self.prepare(candidate, &items));
        }
        let store = self.store;
        let mut answers = stream::iter(questions)
            .map(|question| {
                let steps = Steps::direct(&store.executor);
                answer(question, steps)
            })
            .buffer_unordered(PARALLEL);
        let mut collected = Vec::new();
        while let Some(answer) = answers.next().await {
            collected.push(answer?);
        }
        drop(answers);
        let mut wrong = Vec::new();
        for answer in collected {
            match answer {
                Answer::Fine => {}
                Answer::Wrong(candidate) => wrong.push(candidate),
                Answer::Messages(candidate, messages) => {
                    let told = |message| Candidate {
                        message,
                        ..candidate.clone()
                    };
                    wrong.extend(messages.into_iter().map(told));
                }
                Answer::History(candidate, found) => {
                    wrong.extend(self.judge_history(&candidate, found, &items));
                }
            }
        }
        Ok(wrong)
    }

    fn prepare(&mut self, candidate: Candidate, items: &Items) -> Option<Question> {
        let Confirmation::Ask(ask) = &candidate.confirmation else {
            return None;
        };
        let ask = ask.clone();
        let item = items.get(&candidate.address).and_then(Option::as_ref);
        let located = match item {
            Some(item) => self.tenants.locate(candidate.address.table(), item),
            // A head may be lost; its key still says whose it is.
            None => {
                let key = candidate.address.key(self.neutral.model());
                self.tenants.locate(candidate.address.table(), &key)
            }
        }?;
        let record = match located.content {
            Content::Row { record, .. } if item.is_some() => Some(record),
            _ => None,
        };
        let is_about_row = !matches!(ask, Ask::History { .. });
        if is_about_row && record.is_none() {
            return None;
        }
        Some(Question {
            candidate,
            ask,
            scope: located.scope.for_program(),
            record,
        })
    }

    fn judge_history(
        &mut self,
        candidate: &Candidate,
        found: Vec<(TableId, Item)>,
        items: &Items,
    ) -> Vec<Candidate> {
        let mut filter = FactFilter::new(&candidate.subject);
        let mut all: Vec<(Address, Item)> = Vec::new();
        for (table, item) in found {
            let address = self.neutral.addressing().locate_item(table, &item);
            all.extend(address.map(|address| (address, item)));
        }
        if let Confirmation::Ask(Ask::History { rows, .. }) = &candidate.confirmation {
            for row in rows {
                let item = items.get(row).cloned().flatten();
                all.extend(item.map(|item| (row.clone(), item)));
            }
        }
        for (address, item) in &all {
            self.restate_item(address, item, &mut filter);
        }
        judge_again(&self.neutral, filter.facts, items)
    }
}

async fn answer(question: Question, steps: Steps) -> Result<Answer, Error> {
    let Question {
        candidate,
        ask,
        scope,
        record,
    } = question;
    let owned = OwnedReader::new(scope, steps);
    match decide(&owned, &candidate, &ask, record).await {
        Ok(decision) => Ok(match decision {
            Decision::Fine => Answer::Fine,
            Decision::Wrong => Answer::Wrong(candidate),
            Decision::Messages(messages) => Answer::Messages(candidate, messages),
            Decision::History(items) => Answer::History(candidate, items),
        }),
        // What is wrong with the rows that are asked about is a finding, and no reason to end.
        Err(Interrupt::Fail(error)) if error.kind() == ErrorKind::Validation => {
            Ok(Answer::Messages(candidate, vec![error.to_string()]))
        }
        Err(Interrupt::Fail(error)) => Err(error),
        // Somebody else was there; the next call asks again.
        Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => Ok(Answer::Fine),
    }
}

enum Decision {
    Fine,
    Wrong,
    Messages(Vec<String>),
    History(Vec<(TableId, Item)>),
}

async fn decide(
    owned: &OwnedReader,
    candidate: &Candidate,
    ask: &Ask,
    record: Option<Record>,
) -> Result<Decision, Interrupt> {
    let reader = owned.reader();
    let wrong_if = |is_wrong: bool| {
        if is_wrong {
            Decision::Wrong
        } else {
            Decision::Fine
        }
    };
    match (ask, record) {
        (Ask::Check(position), Some(record)) => {
            let Some(check) = reader.model().checks.get(*position) else {
                return Ok(Decision::Fine);
            };
            Ok(wrong_if(checks::is_broken(&reader, check, &record).await?))
        }
        (
            Ask::Snapshot {
                repository,
                counted,
            },
            Some(_),
        ) => {
            let Some(repository) = reader.model().repositories.get(*repository) else {
                return Ok(Decision::Fine);
            };
            let range = candidate.address.partition().whole();
            let items = reader.all_encoded(&[range]).await?;
            let items = items.into_iter().flatten().collect();
            let messages = repository::violations(&reader, repository, items, *counted).await?;
            Ok(Decision::Messages(messages))
        }
        (Ask::History { repository, .. }, _) => {
            let Some(repository) = reader.model().repositories.get(*repository) else {
                return Ok(Decision::Fine);
            };
            let found = repository::read_history(&reader, repository, &candidate.address).await?;
            let found = found
                .into_iter()
                .map(|(table, item)| (table, item.to_item()));
            Ok(Decision::History(found.collect()))
        }
        (Ask::Path(position), Some(record)) => {
            let Some(path) = reader.model().paths.get(*position) else {
                return Ok(Decision::Fine);
            };
            Ok(wrong_if(!paths::has_path(&reader, path, &record).await?))
        }
        (Ask::Leaf(position), Some(leaf)) => {
            let Some(path) = reader.model().paths.get(*position) else {
                return Ok(Decision::Fine);
            };
            let is_leaf = paths::is_leaf_of_row(&reader, path, &leaf, &candidate.address).await?;
            Ok(wrong_if(!is_leaf))
        }
        (_, None) => Ok(Decision::Fine),
    }
}
