//! A table that other programs wrote, taken over: converted, repaired and verified in one call.

use super::repair::{RepairMode, RepairScope, Repaired};
use super::verify::VerifyOptions;
use crate::error::Error;
use crate::store::Store;
use crate::store_item::{self, Adopted, Found};
use crate::verify::{Note, NoteKind, Verification};

/// What became of an adoption.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adoption {
    /// Rows of old layouts that were written under the keys of today, or would be.
    pub converted: Repaired,
    /// Guards, counters, derived rows and keys of indexes that were written, or would be.
    pub repaired: Repaired,
    /// What is there at the end.
    pub verification: Verification,
    /// The store's own item says that its rows are adopted.
    pub is_adopted: bool,
}

impl Store {
    /// Takes over rows that something else has written: rows of old layouts are converted, what they lack is written, and
    /// everything is verified. If nothing contradicts the model, the store's own item says that the rows are adopted. With
    /// [`RepairMode::Plan`] nothing is written, and the answer says what would be. A call that was cut off is made again.
    pub async fn adopt(
        &self,
        options: &VerifyOptions,
        mode: RepairMode,
    ) -> Result<Adoption, Error> {
        let converted = match mode {
            RepairMode::Write => self.convert().await?,
            RepairMode::Plan => self.plan_conversion(options).await?,
        };
        let repaired = self.repair(options, RepairScope::All, mode).await?;
        let verification = self.verify_with(options).await?;
        Ok(Adoption {
            converted,
            repaired,
            verification,
            is_adopted: self.is_adopted().await?,
        })
    }

    /// Says which rows [`Store::convert`] would write, and writes nothing.
    pub async fn plan_conversion(&self, options: &VerifyOptions) -> Result<Repaired, Error> {
        let found = self.verify_with(options).await?;
        let old = found
            .notes
            .iter()
            .filter(|note| matches!(note.kind, NoteKind::Layout | NoteKind::Time));
        Ok(Repaired {
            planned: old
                .map(|note| {
                    format!(
                        "{} {}: write it under the keys of today",
                        note.entity, note.key
                    )
                })
                .collect(),
            ..Repaired::default()
        })
    }

    /// Whether all rows of the store were written by the model, or were adopted.
    pub async fn is_adopted(&self) -> Result<bool, Error> {
        self.with_own_item(|owned| async move {
            match store_item::open(&owned.reader()).await? {
                Found::Item(item) => Ok(store_item::read_adopted(&item)),
                Found::Denied | Found::NoTable => Ok(false),
            }
        })
        .await
    }

    /// Says whether all rows are as the model writes them.
    pub(super) async fn set_adopted(&self, adopted: Adopted) -> Result<(), Error> {
        self.with_own_item(move |owned| async move {
            store_item::set_adopted(&owned.reader(), adopted).await
        })
        .await
    }

    /// Whether a conversion would write the row of a note under another key.
    fn is_convertible(&self, note: &Note) -> bool {
        let declared = self.model().entity_named(&note.entity);
        match note.kind {
            NoteKind::Time => true,
            NoteKind::Layout => declared.is_some_and(|(id, entity)| {
                !entity.layouts.is_empty() && !self.model().keeps_history(id)
            }),
            NoteKind::Spelling | NoteKind::Dangling | NoteKind::Empty => false,
        }
    }

    /// Notes that nothing contradicts the model. Who may not write the store's own item notes nothing.
    pub(super) async fn note_adopted(&self, found: &Verification) -> Result<(), Error> {
        let is_whole = self.scope_of_whole_tables().circumstances.tenant.is_none();
        let is_known = (self.runtime.own.rows()).is_some_and(|rows| rows.is_adopted);
        let is_elsewhere = found.notes.iter().any(|note| self.is_convertible(note));
        if !found.violations.is_empty() || is_elsewhere || !is_whole || is_known {
            return Ok(());
        }
        self.set_adopted(Adopted::Yes).await
    }
}
