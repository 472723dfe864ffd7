//! What a caller is told of a question.

use super::question::Question;
use crate::error::{Error, Failure};
use crate::interrupt::Interrupt;
use crate::mention::Mention;
use crate::scope::Scope;

/// What the caller is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allowed,
    /// The caller may see the row, or has made it up itself, and may not do this.
    Forbidden,
    /// The row does not exist for the caller.
    Invisible,
}

/// Refuses what was asked.
pub(super) fn refuse<T>(
    scope: &Scope,
    question: &Question<'_>,
    verdict: Verdict,
    mention: impl FnOnce() -> Mention,
) -> Result<T, Interrupt> {
    match verdict {
        Verdict::Invisible => {
            let name = entity_name(scope, question);
            Err(Error::not_found(&name, mention()).into())
        }
        Verdict::Allowed | Verdict::Forbidden => Err(forbidden(scope, question)),
    }
}

pub(super) fn forbidden(scope: &Scope, question: &Question<'_>) -> Interrupt {
    let entity = entity_name(scope, question);
    let action = question.right.action();
    Failure::Forbidden { entity, action }.into()
}

fn entity_name(scope: &Scope, question: &Question<'_>) -> String {
    let subject = question.subject();
    subject.map_or_else(String::new, |row| scope.name(row.entity).to_owned())
}
