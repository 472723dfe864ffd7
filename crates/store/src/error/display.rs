//! Errors as people read them.

use super::{Clash, Error, Failure};
use crate::field_error::FieldError;
use crate::host::NoEntropy;
use std::fmt;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(message) = self.message() {
            write!(f, "{} ", Sentence(message))?;
        }
        self.failure.fmt(f)?;
        match &self.unaudited {
            Some(why) => write!(f, " (not audited: {why})"),
            None => Ok(()),
        }
    }
}

/// A message of the model, with a full stop if it has none.
struct Sentence<'m>(&'m str);

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)?;
        if self.0.ends_with(['.', '!', '?']) {
            Ok(())
        } else {
            f.write_str(".")
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Validation { entity, errors } => {
                for message in list_messages(errors) {
                    write!(f, "{} ", Sentence(message))?;
                }
                write!(f, "{entity}: ")?;
                for (position, error) in errors.iter().enumerate() {
                    let comma = if position > 0 { "; " } else { "" };
                    write!(f, "{comma}{}", error.reason())?;
                }
                Ok(())
            }
            Self::NotFound {
                entity,
                key,
                deleting: false,
            } if key.is_empty() => write!(f, "there is no such {entity}"),
            Self::NotFound {
                entity,
                key,
                deleting: false,
            } => write!(f, "there is no {entity} {key}"),
            Self::NotFound {
                entity,
                key,
                deleting: true,
            } => write!(f, "{entity} {key} is being deleted or moved"),
            Self::Conflict { entity, clash } => write!(f, "{entity}: {clash}"),
            Self::Forbidden { entity, action } => {
                write!(f, "{entity}: the caller may not {action} it")
            }
            Self::Versioned { entity, repository } => write!(
                f,
                "{entity} is versioned: its rows never change; commit to `{repository}` instead"
            ),
            Self::Integrity { message } | Self::Usage { message } => f.write_str(message),
            Self::NoEntropy => write!(
                f,
                "{NoEntropy}, of which ids and keys are made; nothing was written by this call"
            ),
            Self::Retryable { source } => write!(f, "{source}"),
            Self::Fatal { source, hint } => {
                write!(f, "{source}")?;
                match hint {
                    Some(hint) => write!(f, " ({hint})"),
                    None => Ok(()),
                }
            }
        }
    }
}

/// What the model tells a caller of refused values, each sentence once.
fn list_messages(errors: &[FieldError]) -> Vec<&str> {
    let mut messages = Vec::new();
    for message in errors.iter().filter_map(FieldError::message) {
        if !messages.contains(&message) {
            messages.push(message);
        }
    }
    messages
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key { key } if key.is_empty() => f.write_str("there is one already"),
            Self::Key { key } => write!(f, "there is one already: {key}"),
            Self::Unique { claim } => write!(f, "`{claim}` is taken"),
            Self::Expected { attribute } => write!(f, "`{attribute}` is not what was expected"),
            Self::Mirrored => f.write_str("the pair exists, with its ends the other way round"),
            Self::Cycle => f.write_str("the relation would be a cycle"),
            Self::TooDeep { depth } => write!(f, "the relation would be longer than {depth} steps"),
            Self::InUse { by, .. } if by.is_empty() => f.write_str("other rows refer to it"),
            Self::InUse { by, attribute } => write!(f, "{by} refers to it by `{attribute}`"),
            Self::Moving { name } if name.is_empty() => {
                f.write_str("rows that belong to it are being moved; wait until that has ended")
            }
            Self::Moving { name } => write!(
                f,
                "`{name}` has begun on it, and has not ended: call it again with the values it had, or run `monotable \
                 verify --finish`"
            ),
            Self::TokenMismatch { earlier, now } if earlier == now => write!(
                f,
                "the token has named another `{now}` of this caller, with other parameters; nothing was written: a new \
                 call needs a new token, and a repeated one the parameters it had"
            ),
            Self::TokenMismatch { earlier, now } => write!(
                f,
                "the token has named a `{earlier}` of this caller, and this is a `{now}`; nothing was written: a new call \
                 needs a new token"
            ),
            Self::Head { head: Some(head) } => {
                write!(f, "the head is {head}; nothing was written by this call")
            }
            Self::Head { head: None } => f.write_str("nothing was committed yet"),
            Self::Rebase { rows } => {
                write!(f, "others have changed the same since: {}", rows.join(", "))
            }
            Self::LeftBehind => f.write_str(
                "it is deleted, but others kept adding rows that refer to it: delete it again, which removes what is left",
            ),
            Self::Contended => {
                f.write_str("others kept changing it; nothing was written by this call")
            }
        }
    }
}
