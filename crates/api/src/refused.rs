//! Parameters that AWS knows and Monotable does not carry out, because it lacks the feature.
//!
//! They are members of the requests so that a request that uses one is refused, instead of being
//! carried out as if it had not said what it said.

use crate::{Error, wording};
use serde::de::{Deserialize, Deserializer, IgnoredAny};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A refused parameter that was given; what it said is not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefusedParameter;

impl<'de> Deserialize<'de> for RefusedParameter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer)?;
        Ok(Self)
    }
}

impl Serialize for RefusedParameter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_map(Some(0))?.end()
    }
}

type Parameters<'a> = &'a [(&'static str, Option<RefusedParameter>)];

/// Refuses a request with any parameter of a feature that Monotable lacks.
pub(crate) fn unsupported(parameters: Parameters<'_>) -> Result<(), Error> {
    match given(parameters).as_slice() {
        [] => Ok(()),
        given => Err(Error::validation(wording::unsupported_parameters(given))),
    }
}

fn given(parameters: Parameters<'_>) -> Vec<&'static str> {
    let given = parameters
        .iter()
        .filter(|(_, parameter)| parameter.is_some());
    given.map(|(name, _)| *name).collect()
}
