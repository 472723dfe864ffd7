//! What is asked of repositories.

use super::body::Assembly;
use crate::problem::Problem;
use crate::query::QueryWords;
use crate::request::Request;
use crate::target::RepositoryPart;
use monotable_item::Item;
use monotable_model::model::Repository;
use monotable_store::{AnyOperation, At, Diff, Log, Show};

pub(super) fn read_part(
    repository: &Repository,
    key: &Item,
    part: RepositoryPart,
    request: &Request,
    words: &mut QueryWords,
) -> Result<AnyOperation, Problem> {
    let name = repository.name.value.clone();
    let key = key.clone();
    let operation = match part {
        RepositoryPart::Commits => "commit",
        RepositoryPart::Rollback => "rollback",
        RepositoryPart::Revert => "revert",
        RepositoryPart::Sweep => "sweep",
        RepositoryPart::Log => {
            return Ok(AnyOperation::Log(Log {
                repository: name,
                key,
                limit: words.take_count("limit")?,
                after: words.take("cursor"),
                oldest_first: words.take_flag("oldest-first")?,
            }));
        }
        RepositoryPart::Rows => {
            return Ok(AnyOperation::Show(Show {
                repository: name,
                key,
                at: take_revision(words, "revision", "time")?.unwrap_or_default(),
                with_tombstones: words.take_flag("with-tombstones")?,
                under: words.take("under"),
            }));
        }
        RepositoryPart::Diff => {
            let from = take_revision(words, "from", "from-time")?;
            let from = from.ok_or_else(|| {
                Problem::bad_request(
                    "a difference begins somewhere: give `from`, a revision, or `from-time`, a time",
                )
            })?;
            return Ok(AnyOperation::Diff(Diff {
                repository: name,
                key,
                from,
                to: take_revision(words, "to", "to-time")?.unwrap_or_default(),
            }));
        }
    };
    let assembly = Assembly::new(request)?;
    assembly.name(operation, &name).key(&key).finish()
}

/// A revision by its id, or the last one up to a time.
fn take_revision(
    words: &mut QueryWords,
    revision: &str,
    time: &str,
) -> Result<Option<At>, Problem> {
    match (words.take(revision), words.take(time)) {
        (None, None) => Ok(None),
        (Some(id), None) if id == "head" => Ok(Some(At::Head)),
        (Some(id), None) => Ok(Some(At::Revision(id))),
        (None, Some(time)) => Ok(Some(At::Time(time))),
        (Some(_), Some(_)) => Err(Problem::bad_request(format!(
            "`{revision}` and `{time}` both say which revision is meant; give one of them"
        ))),
    }
}
