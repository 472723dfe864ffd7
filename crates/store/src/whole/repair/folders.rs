//! Folders and leaves of paths, made again.

use super::mend::{CHANGED, Current, Mended, demand_unchanged};
use crate::change::Run;
use crate::draft::{Action, Draft};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::mechanism::paths;
use crate::pipeline;
use crate::reader::{OwnedReader, Reader};
use crate::steps::Steps;
use crate::whole::verify::Inspection;
use crate::writer;
use monotable_model::model::Path;

impl Inspection<'_> {
    /// Makes what a row's path lacks, if the row is still what was read.
    pub(super) async fn make_path(&self, position: usize, row: &Current) -> Result<Mended, Error> {
        let steps = Steps::direct(&self.store.executor);
        let owned = OwnedReader::new(row.scope.for_program(), steps);
        let Some(path) = owned.scope.model().paths.get(position) else {
            return Ok(Mended::Left(CHANGED.to_owned()));
        };
        match make_path(&owned.reader(), path, row).await {
            Ok(written) => Ok(Mended::Written(written)),
            Err(Interrupt::Fail(error)) => Ok(Mended::Left(error.to_string())),
            Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => {
                Ok(Mended::Left(CHANGED.to_owned()))
            }
        }
    }
}

/// How many rows were written.
async fn make_path(reader: &Reader<'_>, path: &Path, row: &Current) -> Result<u64, Interrupt> {
    let mut draft = Draft::default();
    let unchanged = demand_unchanged(Action::check(), &row.item);
    draft.add(row.address.clone(), unchanged)?;
    let mut run = Run::new(*reader, &mut draft);
    paths::restore(&mut run, path, &row.record).await?;
    let written = run.count_waiting();
    if written > 0 {
        pipeline::apply_waiting(&mut run).await?;
        writer::commit(reader, &mut draft).await?;
    }
    Ok(written)
}
