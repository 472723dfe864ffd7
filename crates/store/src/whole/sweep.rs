//! What commits left that never finished, everywhere.

use crate::error::Error;
use crate::operation::{Operation, Options, Outcome};
use crate::repository::{Swept, Task};
use crate::store::Store;
use monotable_item::Item;
use std::collections::BTreeSet;
use std::time::Duration;

impl Store {
    /// Reads the whole table for intents of a repository and sweeps each owner's that are so old.
    pub async fn sweep_all(&self, repository: &str, older_than: Duration) -> Result<Swept, Error> {
        let mut swept = Swept::default();
        for key in self.keys_with_intents(repository).await? {
            let operation = Operation::Repository {
                name: repository.to_owned(),
                key,
                task: Task::Sweep { older_than },
            };
            if let Outcome::Swept(one) = self.run(operation, Options::default()).await? {
                swept.intents += one.intents;
                swept.rows += one.rows;
                swept.left += one.left;
            }
        }
        Ok(swept)
    }

    /// What intents tell of the keys of their heads, each once.
    async fn keys_with_intents(&self, repository: &str) -> Result<Vec<Item>, Error> {
        let session = self.session(&Options::default());
        let model = self.model();
        let mut repositories = model.repositories.iter();
        let declared = repositories.find(|known| known.name.value == repository);
        let declared = declared
            .ok_or_else(|| Error::usage(format!("the model has no repository `{repository}`")))?;
        let names = model.entity(declared.head).key_attributes();
        let table = model.entity(declared.intent).table;
        let mut seen = BTreeSet::new();
        let mut keys = Vec::new();
        self.scan(table, |item| {
            let record = session.decode(table, &item);
            let Some(record) = record.filter(|record| record.entity == declared.intent) else {
                return Ok(());
            };
            let mut key = Item::new();
            for name in &names {
                if let Some(value) = record.values.get(name) {
                    key.insert(*name, value.clone());
                }
            }
            if seen.insert(format!("{key:?}")) {
                keys.push(key);
            }
            Ok(())
        })
        .await?;
        Ok(keys)
    }
}
