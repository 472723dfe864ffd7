//! What rules and grants decide of a question, and what a caller is told of it.

use super::question::Question;
use crate::declaration::Declaration;
use crate::error::{Error, Failure};
use crate::interrupt::Interrupt;
use crate::mention::Mention;
use crate::record::Record;
use crate::scope::Scope;
use monotable_model::model::Grant;

/// What rules and grants answer to a question.
#[derive(Clone, Copy, Debug)]
pub(super) enum Decision<'m> {
    Allowed,
    /// A rule of the entity says no.
    RefusedByRule,
    /// The rules allow it, and no row gives the right that this grant asks for.
    RefusedByGrant(&'m Grant),
}

impl Decision<'_> {
    pub(super) const fn by_rules(is_allowed: bool) -> Self {
        if is_allowed {
            Self::Allowed
        } else {
            Self::RefusedByRule
        }
    }

    pub(super) const fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed)
    }

    pub(super) const fn is_refusal(&self) -> bool {
        !self.is_allowed()
    }
}

/// What the caller is told.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Verdict<'m> {
    Allowed,
    /// The caller may see the row, or has made it up itself, and may not do this: by this grant, or by a rule.
    Forbidden(Option<&'m Grant>),
    /// The row does not exist for the caller.
    Invisible,
}

impl Verdict<'_> {
    pub(crate) const fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed)
    }
}

/// Refuses what was asked.
pub(super) fn refuse<T>(
    scope: &Scope,
    question: &Question<'_>,
    verdict: Verdict<'_>,
    mention: impl FnOnce() -> Mention,
) -> Result<T, Interrupt> {
    match verdict {
        Verdict::Invisible => {
            let name = entity_name(scope, question);
            Err(Error::not_found(&name, mention()).into())
        }
        Verdict::Forbidden(grant) => Err(forbidden(scope, question, grant)),
        Verdict::Allowed => Err(forbidden(scope, question, None)),
    }
}

/// What a caller is told who may not do what was asked: with the grant that refuses, or else the rule that was asked.
pub(super) fn forbidden(
    scope: &Scope,
    question: &Question<'_>,
    grant: Option<&Grant>,
) -> Interrupt {
    let entity = entity_name(scope, question);
    let action = question.right.action();
    let error = Error::from(Failure::Forbidden { entity, action });
    let rule = |row: &Record| {
        let entity = scope.entity(row.entity);
        let name = question.right.rule_name(entity, question.clears());
        Declaration::of_rule(entity, name)
    };
    let declared = grant.map(Declaration::of_grant);
    match declared.or_else(|| question.subject().map(rule)) {
        Some(declared) => error.by(declared).into(),
        None => error.into(),
    }
}

fn entity_name(scope: &Scope, question: &Question<'_>) -> String {
    let subject = question.subject();
    subject.map_or_else(String::new, |row| scope.name(row.entity).to_owned())
}
