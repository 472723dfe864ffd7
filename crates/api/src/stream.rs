//! A table's stream, as far as creating and describing a table concerns it.

use crate::choice::{Chosen, choices};
use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, wording};

choices! {
    /// What a stream record shows of an item.
    pub enum StreamViewType {
        /// The item after the change.
        NewImage = "NEW_IMAGE",
        /// The item before the change.
        OldImage = "OLD_IMAGE",
        /// Both.
        NewAndOldImages = "NEW_AND_OLD_IMAGES",
        /// Only its key.
        KeysOnly = "KEYS_ONLY",
    }
}

structure! {
    /// Whether a table has a stream, and what it shows.
    pub struct StreamSpecification {
        /// Whether there is one.
        stream_enabled: bool,
        /// What its records show.
        stream_view_type: Chosen<StreamViewType>,
    }
}

/// What a request does to a stream, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamChange {
    /// There is to be a stream that shows this.
    Enable(StreamViewType),
    /// There is to be no stream.
    Disable,
}

/// AWS words the two rules differently for a table that is being created and one that exists.
pub(crate) struct StreamWords {
    pub(crate) view_type_missing: &'static str,
    pub(crate) view_type_needless: &'static str,
}

impl StreamSpecification {
    /// A stream that shows this.
    pub fn enabled(view: StreamViewType) -> Self {
        Self {
            stream_enabled: Some(true),
            stream_view_type: Some(view.into()),
        }
    }

    /// No stream.
    pub fn disabled() -> Self {
        Self {
            stream_enabled: Some(false),
            stream_view_type: None,
        }
    }

    pub(crate) fn constrain(given: &Option<Self>, constraints: &mut Constraints) {
        const PATH: Path<'static> = Path::Root("streamSpecification");
        let Some(given) = given else { return };
        constraints.required(PATH.field("streamEnabled"), &given.stream_enabled);
        constraints.choice(PATH.field("streamViewType"), &given.stream_view_type);
    }

    /// The change, once the constraints hold.
    pub(crate) fn checked(&self, words: StreamWords) -> Result<StreamChange, Error> {
        let view = self.stream_view_type.as_ref().and_then(Chosen::known);
        match (self.stream_enabled.unwrap_or_default(), view) {
            (true, Some(view)) => Ok(StreamChange::Enable(view)),
            (true, None) => Err(Error::validation(words.view_type_missing)),
            (false, None) => Ok(StreamChange::Disable),
            (false, Some(_)) => Err(Error::validation(words.view_type_needless)),
        }
    }
}

impl StreamWords {
    pub(crate) const CREATE: Self = Self {
        view_type_missing: wording::NEW_STREAM_WITHOUT_VIEW,
        view_type_needless: wording::NO_NEW_STREAM_WITH_VIEW,
    };

    pub(crate) const UPDATE: Self = Self {
        view_type_missing: wording::STREAM_WITHOUT_VIEW,
        view_type_needless: wording::NO_STREAM_WITH_VIEW,
    };
}
