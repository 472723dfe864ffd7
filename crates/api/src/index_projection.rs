//! Which attributes of an item a secondary index holds.

use crate::choice::{Chosen, choices};
use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, wording};
use std::collections::BTreeSet;

/// Most attributes that one projection may name.
const MAX_NAMES: usize = 20;
/// Longest name in a projection, in characters.
const MAX_NAME_CHARS: usize = 255;

choices! {
    /// How the attributes are chosen.
    pub enum ProjectionType {
        /// All of them.
        All = "ALL",
        /// The keys and those that are named.
        Include = "INCLUDE",
        /// The keys of the table and of the index.
        KeysOnly = "KEYS_ONLY",
    }
}

structure! {
    /// Which attributes an index holds. AWS's structure is called `Projection`.
    pub struct IndexProjection {
        /// How they are chosen.
        projection_type: Chosen<ProjectionType>,
        /// Those named beside the keys.
        #[serde(default, deserialize_with = "crate::bounded::list")]
        non_key_attributes: Vec<String>,
    }
}

/// Which attributes an index holds, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectedAttributes {
    /// All of them.
    All,
    /// The keys of the table and of the index.
    KeysOnly,
    /// The keys and these.
    Include(Vec<String>),
}

impl IndexProjection {
    /// All attributes.
    pub fn all() -> Self {
        ProjectedAttributes::All.describe()
    }

    /// The keys of the table and of the index.
    pub fn keys_only() -> Self {
        ProjectedAttributes::KeysOnly.describe()
    }

    /// The keys and these attributes.
    pub fn include<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        ProjectedAttributes::Include(names.into_iter().map(Into::into).collect()).describe()
    }

    pub(crate) fn constrain(given: &Option<Self>, constraints: &mut Constraints, path: Path<'_>) {
        let Some(given) = constraints.required(path, given) else {
            return;
        };
        constraints.choice(path.field("projectionType"), &given.projection_type);
        let Some(names) = &given.non_key_attributes else {
            return;
        };
        let path = path.field("nonKeyAttributes");
        constraints.list_length(path, names, 1..=MAX_NAMES);
        for (index, name) in names.iter().enumerate() {
            constraints.text_length(path.element(index), name, 1..=MAX_NAME_CHARS);
        }
    }

    /// The projection, once its constraints hold.
    pub(crate) fn checked(self) -> Result<ProjectedAttributes, Error> {
        let Some(kind) = self.projection_type.as_ref().and_then(Chosen::known) else {
            return Err(Error::validation(wording::UNKNOWN_PROJECTION_TYPE));
        };
        match (kind, self.non_key_attributes) {
            (ProjectionType::All, None) => Ok(ProjectedAttributes::All),
            (ProjectionType::KeysOnly, None) => Ok(ProjectedAttributes::KeysOnly),
            (ProjectionType::Include, Some(names)) => included(names),
            (ProjectionType::Include, None) => Err(Error::validation(wording::INCLUDES_NOTHING)),
            (ProjectionType::All | ProjectionType::KeysOnly, Some(_)) => {
                Err(Error::validation(wording::includes_needlessly(kind)))
            }
        }
    }
}

fn included(names: Vec<String>) -> Result<ProjectedAttributes, Error> {
    let mut seen = BTreeSet::new();
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        Some(name) => Err(Error::validation(wording::duplicate_non_key_attribute(
            name,
        ))),
        None => Ok(ProjectedAttributes::Include(names)),
    }
}

impl ProjectedAttributes {
    /// The projection as AWS describes it.
    pub fn describe(&self) -> IndexProjection {
        let (kind, names) = match self {
            Self::All => (ProjectionType::All, None),
            Self::KeysOnly => (ProjectionType::KeysOnly, None),
            Self::Include(names) => (ProjectionType::Include, Some(names.clone())),
        };
        IndexProjection {
            projection_type: Some(kind.into()),
            non_key_attributes: names,
        }
    }

    /// How many attributes the projection names beside the keys.
    pub(crate) fn named(&self) -> usize {
        match self {
            Self::All | Self::KeysOnly => 0,
            Self::Include(names) => names.len(),
        }
    }
}
