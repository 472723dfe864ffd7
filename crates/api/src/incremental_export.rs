//! Exports of what has changed in a period.

use crate::choice::{Chosen, choices};
use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, Timestamp, wording};

choices! {
    /// What is written of an item that has changed.
    pub enum ExportViewType {
        /// What it is at the end of the period.
        NewImage = "NEW_IMAGE",
        /// What it was at the beginning, too.
        NewAndOldImages = "NEW_AND_OLD_IMAGES",
    }
}

structure! {
    /// Which changes are written.
    pub struct IncrementalExportSpecification {
        /// Those from this time on,
        export_from_time: Timestamp,
        /// and before this one; up to now without.
        export_to_time: Timestamp,
        /// What is written of an item; both images without.
        export_view_type: Chosen<ExportViewType>,
    }
}

/// Which changes are written, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportPeriod {
    /// Those from this time on,
    pub from: Timestamp,
    /// and before this one; up to now without.
    pub to: Option<Timestamp>,
    /// What is written of an item.
    pub view: ExportViewType,
}

impl IncrementalExportSpecification {
    /// The choice that is not among DynamoDB's, if there is one, goes to the constraints.
    pub(crate) fn constrain(given: Option<&Self>, constraints: &mut Constraints) {
        const PATH: Path<'static> = Path::Root("incrementalExportSpecification");
        if let Some(given) = given {
            let path = PATH.field("exportViewType");
            constraints.choice(path, &given.export_view_type);
        }
    }

    pub(crate) fn check(&self) -> Result<ExportPeriod, Error> {
        let from = self.export_from_time;
        let from = from.ok_or_else(|| Error::validation(wording::PERIOD_WITHOUT_BEGIN))?;
        let view = self.export_view_type.as_ref();
        Ok(ExportPeriod {
            from,
            to: self.export_to_time,
            view: view
                .and_then(Chosen::known)
                .unwrap_or(ExportViewType::NewAndOldImages),
        })
    }
}
