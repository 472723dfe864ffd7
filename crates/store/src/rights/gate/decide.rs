//! Questions, decided by rules and grants.

use super::super::allow::{Bindings, Change, Content, Side};
use super::super::question::{Known, Question, Right, rules};
use super::super::verdict::{Decision, Verdict};
use super::Gate;
use crate::draft::Draft;
use crate::interrupt::Interrupt;
use monotable_expr::predicate::Truth;
use monotable_model::model::Predicate;

impl<'s> Gate<'s> {
    /// What rules and grants answer to each question.
    pub(super) async fn decide(
        &mut self,
        draft: &Draft,
        questions: &[Question<'_>],
        known: Known,
    ) -> Result<Vec<Decision<'s>>, Interrupt> {
        let allowed = self.decide_rules(draft, questions, known).await?;
        let mut decisions: Vec<_> = allowed.into_iter().map(Decision::by_rules).collect();
        if self.reader.model().grants.is_empty() {
            return Ok(decisions);
        }
        let mut asked = Vec::new();
        for (position, question) in questions.iter().enumerate() {
            let right = question.right.granted_as(question.clears());
            if decisions.get(position).is_some_and(Decision::is_allowed) {
                let new = question.new.filter(|_| question.right != Right::Read);
                let rows = question.old.into_iter().chain(new);
                asked.extend(rows.map(|row| (position, (row, right))));
            }
        }
        let rows: Vec<_> = asked.iter().map(|(_, row)| *row).collect();
        let refusing = self.grants.find_refusing(&rows).await?;
        for ((position, _), refusing) in asked.into_iter().zip(refusing) {
            if let (Some(grant), Some(decision)) = (refusing, decisions.get_mut(position)) {
                *decision = Decision::RefusedByGrant(grant);
            }
        }
        Ok(decisions)
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
        let mut truths: Vec<Truth> = asked
            .iter()
            .map(|(_, change, rules)| decide(bindings, change, rules))
            .collect();
        let mut open: Vec<(&Predicate, &Change<'_>, Side)> = Vec::new();
        for ((_, change, rules), truth) in asked.iter().zip(&truths) {
            if *truth == Truth::Unknown {
                open.extend(rules.iter().map(|(rule, side)| (*rule, change, *side)));
            }
        }
        if !open.is_empty() {
            bindings.read_referred(draft, &open).await?;
            for ((_, change, rules), truth) in asked.iter().zip(&mut truths) {
                *truth = decide(bindings, change, rules);
            }
        }
        let mut allowed: Vec<bool> = questions.iter().map(|_| true).collect();
        for ((position, ..), truth) in asked.iter().zip(truths) {
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
        decisions: Vec<Decision<'s>>,
    ) -> Result<Vec<Verdict<'s>>, Interrupt> {
        let mut reads = Vec::new();
        let mut asked = Vec::new();
        for (position, question) in questions.iter().enumerate() {
            let is_refused = decisions.get(position).is_some_and(Decision::is_refusal);
            if let (true, Some(old)) = (is_refused, question.old) {
                asked.push(position);
                reads.push(Question::read(old));
            }
        }
        let seen = self.decide(draft, &reads, Known::Both).await?;
        let mut seen = asked.into_iter().zip(seen).peekable();
        let mut verdicts = Vec::new();
        for (position, decision) in decisions.into_iter().enumerate() {
            let seen = seen.next_if(|(asked, _)| *asked == position);
            let is_hidden = seen.is_some_and(|(_, seen)| seen.is_refusal());
            verdicts.push(match decision {
                Decision::Allowed => Verdict::Allowed,
                _ if is_hidden => Verdict::Invisible,
                Decision::RefusedByRule => Verdict::Forbidden(None),
                Decision::RefusedByGrant(grant) => Verdict::Forbidden(Some(grant)),
            });
        }
        Ok(verdicts)
    }
}
