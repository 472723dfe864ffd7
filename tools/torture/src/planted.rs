//! Proof that the torture can fail: bugs that it must find.

use crate::campaign::{Campaign, Plan};
use crate::machine::Machine;
use crate::preload::Shim;
use crate::summary::Summary;
use std::io;
use std::path::Path;

/// A bug, planted without code in the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// Syncs do nothing.
    NoSync,
    /// The engine is told to be relaxed while the parent expects synced writes: answers leave before
    /// the sync.
    AnswerBeforeSync,
    /// A backup holds what was written after it was asked for.
    BackupOfAnotherState,
    /// A restored table lacks an item.
    RestoreWithoutAnItem,
    /// A table is restored to another time than was asked for.
    RestoreToAnotherTime,
    /// An export says that it is complete, and its files are gone.
    ExportWithoutItsFiles,
    /// An item goes by itself that has not expired.
    ExpiryOfALivingItem,
    /// A write is in the table and not in its stream.
    ChangeOutsideTheStream,
    /// An index that was added to a table with items lacks an entry.
    HoleInAnAddedIndex,
}

/// The variable that tells children which bug they are to plant by what they do.
pub const PLANTED: &str = "TORTURE_PLANTED";

impl Bug {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::NoSync,
        Self::AnswerBeforeSync,
        Self::BackupOfAnotherState,
        Self::RestoreWithoutAnItem,
        Self::RestoreToAnotherTime,
        Self::ExportWithoutItsFiles,
        Self::ExpiryOfALivingItem,
        Self::ChangeOutsideTheStream,
        Self::HoleInAnAddedIndex,
    ];

    /// The bug that this child is to plant.
    #[must_use]
    pub fn of_this_process() -> Option<Self> {
        let name = std::env::var(PLANTED).ok()?;
        Self::ALL.into_iter().find(|bug| format!("{bug:?}") == name)
    }

    fn plan(self, seed: u64) -> Plan {
        let mut plan = Plan::new(seed);
        match self {
            Self::NoSync => {
                let skip = ("FAULTSHIM_SKIP_SYNC".to_owned(), "1".to_owned());
                plan.settings.push(skip);
            }
            Self::AnswerBeforeSync => {
                plan = plan.relaxed();
                plan.expect_sync = true;
            }
            Self::BackupOfAnotherState
            | Self::RestoreWithoutAnItem
            | Self::RestoreToAnotherTime
            | Self::ExportWithoutItsFiles
            | Self::ExpiryOfALivingItem
            | Self::ChangeOutsideTheStream
            | Self::HoleInAnAddedIndex => {
                let planted = (PLANTED.to_owned(), format!("{self:?}"));
                plan.settings.push(planted);
            }
        }
        plan
    }

    /// Runs rounds with power cuts until the bug is found; the summary is clean if it was not.
    ///
    /// # Errors
    ///
    /// When the torture itself does not work.
    pub fn hunt(
        self,
        program: &Path,
        folder: &Path,
        shim: &Shim,
        seed: u64,
        rounds: u32,
    ) -> io::Result<Summary> {
        let machine = Machine::new(program, folder, Some(shim.clone()))?;
        let mut campaign = Campaign::new(machine, self.plan(seed));
        // First a sound store, so that the bug is met in writes and not in the making of the store.
        let planted = std::mem::replace(&mut campaign.plan, Plan::new(seed));
        while campaign.history.acknowledged() == 0 {
            campaign.write_and_kill()?;
        }
        campaign.look()?;
        campaign.plan = planted;
        for _ in 0..rounds {
            if !campaign.power_round()? {
                break;
            }
        }
        Ok(campaign.summary)
    }
}
