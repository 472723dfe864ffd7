//! A folder in AWS's export layout.

use super::Restore;
use crate::command::verify::count;
use crate::confirmation::confirm_full;
use crate::exit::{Failure, done, note};
use crate::rows::{Opened, Use};
use monotable_model::model::Model;
use monotable_operations::{BackupFolder, Restorer, StoreIdentity};

/// Checks a backup, and writes it.
pub(super) async fn restore(arguments: &Restore, model: Model) -> Result<(), Failure> {
    let path = &arguments.file;
    let target = arguments.target.clone();
    // A damaged backup must not leave a new store behind.
    let folder = BackupFolder::open(path)?;
    folder.check()?;
    if arguments.dry_run {
        let opened = Opened::open_to_plan(model, target).await?;
        let items: u64 = folder.tables.iter().map(|table| table.item_count()).sum();
        Restorer::new(&opened.store, &opened.store.sender(), folder)?;
        let items = count(items, "item");
        done(format_args!("would write {items} to {}", opened.place));
        return Ok(());
    }
    let opened = Opened::open_long(model, target, Use::New).await?;
    let sender = opened.store.sender();
    let restorer = Restorer::new(&opened.store, &sender, folder)?;
    let place = &opened.place;
    let identity = StoreIdentity::read(place, &opened.store).await?;
    if !restorer.is_begun(path, &identity) {
        confirm_full(&opened, "restoring", arguments.confirm.as_deref()).await?;
    }
    let report = restorer.restore(path, &identity, &|_| {}).await;
    let report = report.map_err(|error| {
        Failure::from(error).because("what was written stays; run it again to go on")
    })?;
    if report.files_before > 0 {
        let files = count(report.files_before, "file");
        note(format_args!(
            "an earlier run has written {files} of the backup"
        ));
    }
    let items = count(report.items, "item");
    done(format_args!("{items} written to {place}"));
    if arguments.verify {
        prove(&restorer, place).await?;
    }
    Ok(())
}

/// Compares the tables with the backup.
async fn prove(restorer: &Restorer<'_>, place: impl std::fmt::Display) -> Result<(), Failure> {
    let differences = restorer.verify(&|_| {}).await?;
    if differences.is_empty() {
        done(format_args!("{place} has exactly the items of the backup"));
        return Ok(());
    }
    let mut failure = Failure::violations(format_args!("{place} has other items than the backup"));
    for difference in differences {
        let (wanted, found) = (difference.wanted.items, difference.found.items);
        let table = difference.table;
        failure = failure.because(if wanted == found {
            format!("{table}: {found} items, of which some have other values")
        } else {
            format!("{table}: {found} items; the backup has {wanted}")
        });
    }
    Err(failure.help("other programs may have written to it, or it was not empty: restore into a new store to compare"))
}
