//! Indexes of a table that is there: made, waited for and dropped, one after another.

use super::difference::find_index;
use super::wanted::attribute_type;
use super::{IndexChange, IndexChangeKind, SetupWatch};
use crate::error::Error;
use crate::store::Store;
use monotable_api::{
    CreateTableInput, DynamoExt, Error as ServiceError, GlobalSecondaryIndex,
    GlobalSecondaryIndexUpdate, IndexStatus, UpdateTableInput,
};
use monotable_model::model::TableId;
use std::time::Duration;

impl Store {
    /// Does what a plan says about an index, and waits until it is done.
    pub(super) async fn change_index(
        &self,
        table: TableId,
        wanted: &CreateTableInput,
        change: &IndexChange,
        watch: SetupWatch<'_>,
    ) -> Result<(), Error> {
        let name = &self.model().table(table).physical;
        let mut wanted = wanted.global_secondary_indexes.iter().flatten();
        let wanted = wanted.find(|index| index.index_name.as_ref() == Some(&change.index));
        match (&change.kind, wanted) {
            (IndexChangeKind::Dropped, _) | (_, None) => {
                self.drop_index(name, &change.index, watch).await
            }
            (IndexChangeKind::Awaited, Some(_)) => {
                self.await_index(name, &change.index, watch).await
            }
            (IndexChangeKind::Replaced(_), Some(wanted)) => {
                self.drop_index(name, &change.index, watch).await?;
                self.add_index(table, wanted.clone(), watch).await
            }
            (IndexChangeKind::Added, Some(wanted)) => {
                self.await_no_index(name, &change.index, watch).await?;
                self.add_index(table, wanted.clone(), watch).await
            }
        }
    }

    async fn add_index(
        &self,
        table: TableId,
        mut index: GlobalSecondaryIndex,
        watch: SetupWatch<'_>,
    ) -> Result<(), Error> {
        let name = &self.model().table(table).physical;
        if index.provisioned_throughput.is_none() {
            // A table that is paid ahead, about which the model says nothing: the index has what the table has.
            let found = self.described(name).await?.unwrap_or_default();
            let units = found.provisioned_throughput.unwrap_or_default();
            let throughput =
                provisioned(units.read_capacity_units).zip(provisioned(units.write_capacity_units));
            if let Some((read, write)) = throughput {
                index = index.provisioned(read, write);
            }
        }
        let mut update = UpdateTableInput::new(name);
        for element in index.key_schema.iter().flatten() {
            let attribute = element.attribute_name.clone().unwrap_or_default();
            let kind = attribute_type(self.model(), table, &attribute);
            update = update.attribute(attribute, kind);
        }
        let named = index.index_name.clone().unwrap_or_default();
        let update = update.index(GlobalSecondaryIndexUpdate::create(index));
        self.update_table(update, watch).await?;
        self.await_index(name, &named, watch).await
    }

    async fn drop_index(
        &self,
        table: &str,
        index: &str,
        watch: SetupWatch<'_>,
    ) -> Result<(), Error> {
        let update = UpdateTableInput::new(table).index(GlobalSecondaryIndexUpdate::delete(index));
        if let Err(error) = self.update_table(update, watch).await {
            let found = self.described(table).await?.unwrap_or_default();
            // If it is gone, somebody else was faster.
            if find_index(&found, index).is_some() {
                return Err(error);
            }
        }
        self.await_no_index(table, index, watch).await
    }

    /// Changes a table, as soon as it takes changes: AWS refuses a second one while the first is under way.
    pub(super) async fn update_table(
        &self,
        update: UpdateTableInput,
        watch: SetupWatch<'_>,
    ) -> Result<(), Error> {
        let name = update.table_name.clone().unwrap_or_default();
        let mut waited = Duration::ZERO;
        loop {
            self.await_active(&name, watch).await?;
            match self.executor.dynamo().update_table(update.clone()).await {
                Ok(_) => return Ok(()),
                Err(
                    ServiceError::ResourceInUseException { .. }
                    | ServiceError::LimitExceededException { .. },
                ) if waited < super::PATIENCE => {
                    waited += self.wait(&name, None, waited, watch).await;
                }
                Err(error) => return Err(Error::service(error)),
            }
        }
    }

    /// Waits until an index has all items, however long that takes.
    async fn await_index(
        &self,
        table: &str,
        index: &str,
        watch: SetupWatch<'_>,
    ) -> Result<(), Error> {
        let mut waited = Duration::ZERO;
        loop {
            let found = self.described(table).await?.unwrap_or_default();
            match find_index(&found, index).map(|index| &index.index_status) {
                Some(Some(IndexStatus::Active)) => return self.await_active(table, watch).await,
                Some(Some(IndexStatus::Deleting)) | None => {
                    return Err(Error::integrity(format!(
                        "the index `{index}` of table `{table}` was given up before it had all items: somebody dropped it, or DynamoDB \
                         could not finish it; run setup again, and see the table's events in CloudWatch if it happens twice"
                    )));
                }
                Some(_) => waited += self.wait(table, Some(index), waited, watch).await,
            }
        }
    }

    /// Waits until an index is gone.
    async fn await_no_index(
        &self,
        table: &str,
        index: &str,
        watch: SetupWatch<'_>,
    ) -> Result<(), Error> {
        let mut waited = Duration::ZERO;
        loop {
            let found = self.described(table).await?.unwrap_or_default();
            if find_index(&found, index).is_none() {
                return self.await_active(table, watch).await;
            }
            waited += self.wait(table, Some(index), waited, watch).await;
        }
    }
}

/// Units of a table that is paid ahead; one that is paid by use shows zeros.
fn provisioned(units: Option<u64>) -> Option<i64> {
    let units = units.filter(|units| *units > 0)?;
    i64::try_from(units).ok()
}
