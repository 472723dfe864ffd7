//! The gate: rules and grants together, for many questions at once.

mod decide;

use super::allow::Bindings;
use super::grants::Grants;
use super::hidden::{kept_from_caller, missing_for_caller};
use super::question::{Known, Question, Right};
use super::verdict::{Decision, Verdict, forbidden, refuse};
use crate::allowed::Allowed;
use crate::draft::Draft;
use crate::interrupt::Interrupt;
use crate::mention::Mention;
use crate::reader::Reader;
use crate::record::Record;
use crate::record::StoredRow;
use crate::scope::Scope;
use monotable_item::Item;

/// A change that the caller may make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Permit {
    /// The caller may also see what the change leaves, or, of a delete, what it takes away.
    is_readable: bool,
}

impl Permit {
    /// The answer to a change. Whoever may change a row and not read it sees its key.
    pub(crate) fn answer(self, scope: &Scope, row: Record) -> Allowed<Record> {
        if self.is_readable {
            return Allowed::by_gate(row);
        }
        let mut values = Item::new();
        for name in scope.entity(row.entity).key_attributes() {
            if let Some(value) = row.values.get(name) {
                values.insert(name, value.clone());
            }
        }
        let entity = row.entity;
        Allowed::by_gate(Record { entity, values })
    }
}

/// Asks what one caller may do. What rules and grants look at is read once for all questions.
#[derive(Debug)]
pub(crate) struct Gate<'s> {
    reader: &'s Reader<'s>,
    /// There is a caller, and what is asked does not follow from something that was asked before.
    asks: bool,
    bindings: Option<Bindings<'s>>,
    grants: Grants<'s>,
}

impl<'s> Gate<'s> {
    pub(crate) fn new(reader: &'s Reader<'s>) -> Self {
        Self {
            reader,
            asks: reader.asks_rights(),
            bindings: None,
            grants: Grants::new(reader),
        }
    }

    pub(crate) const fn reader(&self) -> &'s Reader<'s> {
        self.reader
    }

    pub(super) const fn grants(&mut self) -> &mut Grants<'s> {
        &mut self.grants
    }

    /// A gate for changes that follow from one that was asked: it lets them pass.
    pub(crate) fn for_consequences(reader: &'s Reader<'s>) -> Self {
        let mut gate = Self::new(reader);
        gate.asks = false;
        gate
    }

    /// Answers questions about changes, of which the draft's are made already.
    pub(crate) async fn ask(
        &mut self,
        draft: &Draft,
        questions: &[Question<'_>],
    ) -> Result<Vec<Verdict<'s>>, Interrupt> {
        if !self.asks {
            return Ok(questions.iter().map(|_| Verdict::Allowed).collect());
        }
        let decisions = self.decide(draft, questions, Known::Both).await?;
        self.verdicts(draft, questions, decisions).await
    }

    /// Refuses what is certain before the new row is worked out, so that what is wrong with it is told only to those
    /// who may change the row. [`Gate::admit`] asks again when the new row is known.
    pub(crate) async fn begin(
        &mut self,
        draft: &Draft,
        right: Right,
        old: &Record,
        mention: impl FnOnce() -> Mention,
    ) -> Result<(), Interrupt> {
        if !self.asks {
            return Ok(());
        }
        let question = Question {
            right,
            old: Some(old),
            new: None,
        };
        let questions = [question];
        let certain = self.decide(draft, &questions, Known::Old).await?;
        let mut verdicts = self.verdicts(draft, &questions, certain).await?;
        // What is wrong with the new row would tell that there is an old one, so nothing is said of a row that the caller
        // does not see, unless the old row alone allows the change.
        let is_allowed = verdicts.first().is_some_and(Verdict::is_allowed);
        if is_allowed && !self.is_settled(draft, &question).await? {
            let is_seen = self.sees([old]).await? == [true];
            if !is_seen {
                verdicts = vec![Verdict::Invisible];
            }
        }
        match verdicts.first() {
            Some(Verdict::Allowed) => Ok(()),
            Some(verdict) => refuse(self.reader, &question, *verdict, mention),
            None => Err(forbidden(self.reader, &question, None)),
        }
    }

    /// Begins to make a row equal to a new one. Whoever does not see the row, and could not create the new one either, is told
    /// only that, as if there were no row.
    pub(crate) async fn begin_replacing(
        &mut self,
        draft: &Draft,
        old: &Record,
        made: &Record,
        mention: impl FnOnce() -> Mention,
    ) -> Result<(), Interrupt> {
        if self.asks && self.sees([old]).await? != [true] {
            let create = Question::create(made);
            self.admit(draft, create, Mention::default).await?;
        }
        self.begin(draft, Right::Update, old, mention).await
    }

    /// Whether the rules are decided by the old row alone.
    async fn is_settled(
        &mut self,
        draft: &Draft,
        question: &Question<'_>,
    ) -> Result<bool, Interrupt> {
        let allowed = self
            .decide_rules(draft, &[*question], Known::OldForSure)
            .await?;
        Ok(allowed == [true])
    }

    /// Refuses a change that the caller may not make. A row that it may not even see does not exist for it.
    pub(crate) async fn admit(
        &mut self,
        draft: &Draft,
        question: Question<'_>,
        mention: impl FnOnce() -> Mention,
    ) -> Result<Permit, Interrupt> {
        self.admit_item(draft, &[question], mention).await
    }

    /// Refuses a change of an item that is stored as several rows, if the caller may not make it of one of them.
    pub(crate) async fn admit_item(
        &mut self,
        draft: &Draft,
        changes: &[Question<'_>],
        mention: impl FnOnce() -> Mention,
    ) -> Result<Permit, Interrupt> {
        if !self.asks {
            return Ok(Permit { is_readable: true });
        }
        Box::pin(self.ask_item(draft, changes, mention)).await
    }

    async fn ask_item(
        &mut self,
        draft: &Draft,
        changes: &[Question<'_>],
        mention: impl FnOnce() -> Mention,
    ) -> Result<Permit, Interrupt> {
        // The answer is what the change leaves, or, of a delete, what it takes away.
        let answer = changes.first().and_then(|change| change.new.or(change.old));
        let mut questions = changes.to_vec();
        let deletes = changes
            .iter()
            .filter_map(|change| change.expiring(self.reader));
        questions.extend(deletes);
        let count = questions.len();
        questions.extend(answer.map(Question::read));
        let verdicts = self.ask(draft, &questions).await?;
        let mut refused = questions.iter().zip(&verdicts).take(count);
        if let Some((question, verdict)) = refused.find(|(_, verdict)| !verdict.is_allowed()) {
            if matches!(verdict, Verdict::Forbidden(_))
                && let Some(error) = missing_for_caller(self, draft, question).await?
            {
                return Err(error.into());
            }
            return refuse(self.reader, question, *verdict, mention);
        }
        if !self.reader.model().grants.is_empty() {
            for question in changes {
                if let Some(error) = kept_from_caller(self, draft, question).await? {
                    return Err(error.into());
                }
            }
        }
        Ok(Permit {
            is_readable: verdicts.last().is_some_and(Verdict::is_allowed),
        })
    }

    /// Refuses changes that follow from another one, if the caller may not make one of them. It is told of which entity
    /// such a row is, and nothing else: it may not see the row.
    pub(crate) async fn admit_all(
        &mut self,
        draft: &Draft,
        questions: &[Question<'_>],
    ) -> Result<(), Interrupt> {
        if !self.asks {
            return Ok(());
        }
        let decisions = self.decide(draft, questions, Known::Both).await?;
        for (question, decision) in questions.iter().zip(decisions) {
            let grant = match decision {
                Decision::Allowed => continue,
                Decision::RefusedByRule => None,
                Decision::RefusedByGrant(grant) => Some(grant),
            };
            return Err(forbidden(self.reader, question, grant));
        }
        Ok(())
    }

    /// Those of these rows that the caller may see, and how many it may not.
    pub(crate) async fn see(
        &mut self,
        rows: Vec<StoredRow>,
    ) -> Result<(Vec<Allowed<StoredRow>>, usize), Interrupt> {
        if !self.asks {
            return Ok((rows.into_iter().map(Allowed::by_gate).collect(), 0));
        }
        let all = rows.len();
        let seen = Box::pin(self.sees(rows.iter().map(|found| &found.record))).await?;
        let rows = rows.into_iter().zip(seen).filter(|(_, seen)| *seen);
        let rows: Vec<_> = rows.map(|(found, _)| Allowed::by_gate(found)).collect();
        let hidden = all.saturating_sub(rows.len());
        Ok((rows, hidden))
    }

    /// A stored row, if the caller may see it.
    pub(crate) async fn see_stored(
        reader: &'s Reader<'s>,
        row: StoredRow,
    ) -> Result<Option<Allowed<StoredRow>>, Interrupt> {
        if !reader.asks_rights() {
            return Ok(Some(Allowed::by_gate(row)));
        }
        let seen = Box::pin(async {
            let mut gate = Self::new(reader);
            gate.sees([&row.record]).await
        });
        let is_seen = seen.await? == [true];
        Ok(is_seen.then(|| Allowed::by_gate(row)))
    }

    /// A row, if the caller may see it.
    pub(crate) async fn see_row(
        &mut self,
        row: Record,
    ) -> Result<Option<Allowed<Record>>, Interrupt> {
        let seen = self.sees([&row]).await?;
        Ok((seen == [true]).then(|| Allowed::by_gate(row)))
    }

    /// These rows, each if the caller may see it.
    pub(crate) async fn see_rows(
        &mut self,
        rows: Vec<Record>,
    ) -> Result<Vec<Option<Allowed<Record>>>, Interrupt> {
        let seen = self.sees(&rows).await?;
        let rows = rows.into_iter().zip(seen);
        Ok(rows
            .map(|(row, seen)| seen.then(|| Allowed::by_gate(row)))
            .collect())
    }

    /// The answer to a call that wrote a row before: the row as it is stored now.
    pub(crate) async fn answer(&mut self, row: Record) -> Result<Allowed<Record>, Interrupt> {
        let is_readable = self.sees([&row]).await? == [true];
        Ok(Permit { is_readable }.answer(self.reader, row))
    }

    /// The key of a row that an earlier call of the same caller has deleted: it named the row then.
    pub(crate) const fn answer_key(&self, key: Record) -> Allowed<Record> {
        Allowed::by_gate(key)
    }

    /// Which of these rows the caller may see.
    pub(crate) async fn sees<'r>(
        &mut self,
        rows: impl IntoIterator<Item = &'r Record>,
    ) -> Result<Vec<bool>, Interrupt> {
        let questions: Vec<_> = rows.into_iter().map(Question::read).collect();
        if !self.asks {
            return Ok(questions.iter().map(|_| true).collect());
        }
        let decisions = self
            .decide(&Draft::default(), &questions, Known::Both)
            .await?;
        Ok(decisions.iter().map(Decision::is_allowed).collect())
    }

    /// Refuses to compare a row with what a caller expects who may not see it.
    pub(crate) async fn admit_expecting(&mut self, row: &Record) -> Result<(), Interrupt> {
        if self.sees([row]).await? == [true] {
            Ok(())
        } else {
            Err(forbidden(self.reader, &Question::read(row), None))
        }
    }

    /// Whether the caller may see a row, or change it.
    pub(crate) async fn reads_or_updates(&mut self, row: &Record) -> Result<bool, Interrupt> {
        let questions = [Question::read(row), Question::update(row, row)];
        let nothing = Draft::default();
        let decisions = self.decide(&nothing, &questions, Known::Both).await?;
        Ok(decisions.iter().any(Decision::is_allowed))
    }
}
