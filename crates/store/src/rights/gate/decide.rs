//! Questions, decided by rules and grants.

use super::super::allow::{Bindings, Change, Content, Side};
use super::super::question::{Known, Question, Right, rules};
use super::super::verdict::Verdict;
use super::Gate;
use crate::draft::Draft;
use crate::interrupt::Interrupt;
use monotable_expr::predicate::Truth;
use monotable_model::model::Predicate;

impl Gate<'_> {
    /// Which questions rules and grants answer with yes.
    pub(super) async fn decide(
        &mut self,
        draft: &Draft,
        questions: &[Question<'_>],
        known: Known,
    ) -> Result<Vec<bool>, Interrupt> {
        let mut allowed = self.decide_rules(draft, questions, known).await?;
        if self.reader.model().grants.is_empty() {
            return Ok(allowed);
        }
        let mut asked = Vec::new();
        for (position, question) in questions.iter().enumerate() {
            let right = question.right.granted_as(question.clears());
            if allowed.get(position) == Some(&true) {
                let new = question.new.filter(|_| question.right != Right::Read);
                let rows = question.old.into_iter().chain(new);
                asked.extend(rows.map(|row| (position, (row, right))));
            }
        }
        let rows: Vec<_> = asked.iter().map(|(_, row)| *row).collect();
        let granted = self.grants.allow(&rows).await?;
        for ((position, _), granted) in asked.into_iter().zip(granted) {
            if let Some(allowed) = allowed.get_mut(position) {
                *allowed &= granted;
            }
        }
        Ok(allowed)
    }

    /// Which questions the rules of entities answer with yes. Rows that references name are read only for rules that
    /// are not decided without them.
    pub(super) async fn decide_rules(
        &mut self,
        draft: &Draft,
        questions: &[Question<'_>],
        known: Known,
    ) -> Result<Vec<bool>, Interrupt> {
        let reader = self.reader;
        let bindings = self
            .bindings
            .get_or_insert_with(|| Bindings::new(self.reader));
        let mut asked = Vec::new();
        for (position, question) in questions.iter().enumerate() {
            let rules = rules(reader, question, known);
            if rules.is_empty() {
                continue;
            }
            let change = Change {
                old: Content::new(question.old),
                new: match known {
                    Known::Both => Content::new(question.new),
                    Known::Old | Known::OldForSure => Content::Unknown,
                },
            };
            asked.push((position, change, rules));
        }
        let decide = |bindings: &Bindings<'_>, change: &Change<'_>, rules: &[_]| {
            let sides = rules.iter().map(|(rule, side)| (*rule, *side));
            sides.fold(Truth::True, |truth, (rule, side)| {
                truth.and(bindings.decide(rule, change, side))
            })
        };
        let mut open: Vec<(&Predicate, &Change<'_>, Side)> = Vec::new();
        for (_, change, rules) in &asked {
            if decide(bindings, change, rules) == Truth::Unknown {
                open.extend(rules.iter().map(|(rule, side)| (*rule, change, *side)));
            }
        }
        if !open.is_empty() {
            bindings.read_referred(draft, &open).await?;
        }
        let mut allowed: Vec<bool> = questions.iter().map(|_| true).collect();
        for (position, change, rules) in &asked {
            let truth = decide(bindings, change, rules);
            // Before the new row is known, only what is certain is refused.
            let passes = truth == Truth::True || known == Known::Old && truth == Truth::Unknown;
            if let Some(allowed) = allowed.get_mut(*position) {
                *allowed = passes;
            }
        }
        Ok(allowed)
    }

    /// What the caller is told of each question.
    pub(super) async fn verdicts(
        &mut self,
        draft: &Draft,
        questions: &[Question<'_>],
        allowed: Vec<bool>,
    ) -> Result<Vec<Verdict>, Interrupt> {
        let mut reads = Vec::new();
        let mut asked = Vec::new();
        for (position, question) in questions.iter().enumerate() {
            if let (Some(false), Some(old)) = (allowed.get(position), question.old) {
                asked.push(position);
                reads.push(Question::read(old));
            }
        }
        let seen = self.decide(draft, &reads, Known::Both).await?;
        let mut seen = asked.into_iter().zip(seen).peekable();
        let mut verdicts = Vec::new();
        for (position, allowed) in allowed.into_iter().enumerate() {
            let seen = seen.next_if(|(asked, _)| *asked == position);
            verdicts.push(match (allowed, seen) {
                (true, _) => Verdict::Allowed,
                (false, Some((_, false))) => Verdict::Invisible,
                (false, Some((_, true)) | None) => Verdict::Forbidden,
            });
        }
        Ok(verdicts)
    }
}
