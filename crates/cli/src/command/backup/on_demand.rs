//! Backups that the target makes and keeps itself.

use crate::exit::{Failure, done};
use crate::output::print;
use crate::rows::Opened;
use monotable_api::{CreateBackupInput, DynamoExt, Error};

/// Has the target back each table up, and prints the ARNs.
pub(super) async fn create(opened: &Opened, name: &str, dry_run: bool) -> Result<(), Failure> {
    let model = opened.store.model();
    for id in model.stored_tables() {
        let table = &model.table(id).physical;
        if dry_run {
            done(format_args!(
                "would have {table} backed up {}",
                opened.place.locate()
            ));
            continue;
        }
        let made = opened
            .dynamo
            .create_backup(CreateBackupInput::new(table, name))
            .await;
        let details = match made {
            Ok(output) => output.backup_details.unwrap_or_default(),
            Err(Error::UnknownOperationException { .. }) => {
                return Err(Failure::configuration(format_args!(
                    "{} makes no backups of its own",
                    opened.place
                ))
                .help("write one to a folder: monotable backup FOLDER"));
            }
            Err(error) => return Err(Failure::from(error)),
        };
        let arn = details.backup_arn.unwrap_or_default();
        print(format!("{arn}\n").as_bytes())?;
    }
    Ok(())
}
