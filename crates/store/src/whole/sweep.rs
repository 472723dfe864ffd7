//! What commits left that never finished, everywhere.

use crate::error::Error;
use crate::operation::Options;
use crate::record::Record;
use crate::repository::{self, SweepReport};
use crate::session::{Interrupt, Session};
use crate::steps::Machine;
use crate::store::Store;
use monotable_item::Item;
use monotable_model::model::Repository;
use std::collections::BTreeMap;
use std::time::Duration;

/// What a table says about the commits of a repository.
#[derive(Default)]
struct CommitTraces {
    /// What intents tell of the keys of their heads.
    keys: BTreeMap<String, Item>,
    /// A row of each snapshot.
    snapshots: BTreeMap<String, Record>,
}

impl Store {
    /// Reads the whole table and sweeps what is so old: intents of every owner, and rows of revisions that neither a log
    /// nor an intent knows.
    pub async fn sweep_all(
        &self,
        repository: &str,
        older_than: Duration,
    ) -> Result<SweepReport, Error> {
        let mut repositories = self.model().repositories.iter();
        let declared = repositories.find(|known| known.name.value == repository);
        let declared = declared
            .ok_or_else(|| Error::usage(format!("the model has no repository `{repository}`")))?;
        let found = self.look_for_commits(declared).await?;
        let mut swept = SweepReport::default();
        for key in found.keys.into_values() {
            let one = self.sweep(repository, key, older_than).await?;
            swept.intents += one.intents;
            swept.rows += one.rows;
            swept.left += one.left;
        }
        for row in found.snapshots.into_values() {
            swept.rows += self.sweep_orphan(repository, row, older_than).await?;
        }
        Ok(swept)
    }

    async fn look_for_commits(&self, declared: &Repository) -> Result<CommitTraces, Error> {
        let session = self.session(&Options::default());
        let model = self.model();
        let names = model.entity(declared.head).key_attributes();
        let mut found = CommitTraces::default();
        for table in super::scan::tables(model) {
            self.scan(table, |item| {
                let Some(record) = session.decode(table, &item) else {
                    return Ok(());
                };
                if record.entity == declared.intent {
                    let mut key = Item::new();
                    for name in &names {
                        if let Some(value) = record.values.get(name) {
                            key.insert(*name, value.clone());
                        }
                    }
                    found.keys.insert(format!("{key:?}"), key);
                } else if declared.entities.contains(&record.entity) {
                    let address = session.row_address(&record)?;
                    found.snapshots.entry(address.hash).or_insert(record);
                }
                Ok(())
            })
            .await?;
        }
        Ok(found)
    }

    /// Deletes the snapshot of a row, if its revision is nobody's.
    async fn sweep_orphan(
        &self,
        name: &str,
        row: Record,
        older_than: Duration,
    ) -> Result<u64, Error> {
        let session = self.session(&Options::default());
        let name = name.to_owned();
        let machine = Machine::new(move |steps| async move {
            let session = Session { steps, ..session };
            match repository::sweep_orphan(&session, &name, &row.values, older_than).await {
                Ok(rows) => Ok(rows),
                Err(Interrupt::Fail(error)) => Err(error),
                Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => Ok(0),
            }
        });
        self.executor.run(machine).await
    }
}
