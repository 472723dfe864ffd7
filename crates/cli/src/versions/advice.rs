//! What to do about a refusal of a repository.

use crate::exit::Failure;
use crate::rows::{LoadedModel, RowCommand, Verb, refuse_values};
use monotable_store::{Clash, Error, Failure as Refusal, Parent};

/// The refusal of what was asked, with help.
pub(crate) fn refused(asked: &RowCommand, error: Error, model: &LoadedModel) -> Failure {
    let help = match error.failure() {
        Refusal::Conflict { clash, .. } => advice(asked, clash),
        Refusal::Usage { .. } if asked.verb == Verb::Sweep => {
            Some("say whose: attributes of the key of the repository, KEY=VALUE each")
        }
        _ => None,
    };
    let failure = refuse_values(error, model);
    match help {
        Some(help) => failure.help(help),
        None => failure,
    }
}

fn advice(asked: &RowCommand, clash: &Clash) -> Option<&'static str> {
    match (asked.verb, clash) {
        (Verb::Commit, Clash::Head { head: Some(_) }) => match asked.asking.parent {
            Parent::None => Some("leave out --first to commit on top of it"),
            _ => Some(
                "--rebase REV instead of --parent REV makes the changes to what is there now, unless others changed \
                 the same rows",
            ),
        },
        (Verb::Commit, Clash::Head { head: None }) => {
            Some("leave out --parent and --rebase to make the first commit")
        }
        (Verb::Commit, Clash::Rebase { .. }) => {
            Some("`monotable diff` from that revision to head shows what they changed")
        }
        (Verb::Rollback | Verb::Revert, Clash::Head { head: Some(_) }) => {
            Some("`monotable log` shows what was committed meanwhile")
        }
        _ => None,
    }
}
