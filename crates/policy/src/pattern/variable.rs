//! Variables: what stands between `${` and `}`.

use crate::error::PolicyError;
use crate::json::Place;
use crate::key::{ConditionKey, Context, Multiplicity};

/// A value of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    key: ConditionKey,
    default: Option<String>,
}

impl Variable {
    /// The key, if there must be a value for it.
    pub(super) const fn required(&self) -> Option<&ConditionKey> {
        match self.default {
            None => Some(&self.key),
            Some(_) => None,
        }
    }

    pub(super) fn value(&self, context: &Context<'_>) -> Option<String> {
        let value = self.key.values(context).pop();
        value.or_else(|| self.default.clone())
    }
}

/// Reads `aws:username` or `aws:username, 'nobody'`.
pub(super) fn parse_variable(place: &Place<'_>, text: &str) -> Result<Variable, PolicyError> {
    let (name, default) = match text.split_once(',') {
        Some((name, default)) => (name, Some(parse_default(place, default)?)),
        None => (text, None),
    };
    let name = name.trim();
    let key = ConditionKey::parse(name)
        .ok_or_else(|| place.refuse(format!("unknown variable ${{{name}}}")))?;
    if key.multiplicity() == Multiplicity::Several {
        return Err(place.refuse(format!(
            "${{{name}}} can have several values, and so cannot be a variable"
        )));
    }
    Ok(Variable { key, default })
}

fn parse_default(place: &Place<'_>, text: &str) -> Result<String, PolicyError> {
    let inside = text.trim().strip_prefix('\'');
    let inside = inside.and_then(|text| text.strip_suffix('\''));
    inside.map(str::to_owned).ok_or_else(|| {
        place.refuse("the default of a variable stands in single quotes: ${key, 'text'}")
    })
}
