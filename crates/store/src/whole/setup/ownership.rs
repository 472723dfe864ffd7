//! How a table is paid for, protected and tagged.

use super::SetupWatch;
use super::settings::Applied;
use crate::error::Error;
use crate::store::Store;
use crate::whole::repair::RepairMode;
use monotable_api::{
    BillingMode, DynamoExt, Error as ServiceError, GlobalSecondaryIndexUpdate,
    ListTagsOfResourceInput, ProvisionedThroughput, ProvisionedThroughputDescription,
    TableDescription, Tag, TagResourceInput, UpdateTableInput,
};
use monotable_model::model::{Billing, Table};
use std::collections::BTreeMap;

impl Store {
    /// Has a table paid for as the model says.
    pub(super) async fn apply_billing(
        &self,
        table: &Table,
        mode: RepairMode,
        watch: SetupWatch<'_>,
    ) -> Result<Applied, Error> {
        let Some(wanted) = table.billing else {
            return Ok(Applied::AsDeclared);
        };
        let found = self.described(&table.physical).await?.unwrap_or_default();
        let Some(update) = bill(UpdateTableInput::new(&table.physical), wanted, &found) else {
            return Ok(Applied::AsDeclared);
        };
        if mode == RepairMode::Write {
            self.update_table(update, watch).await?;
            self.await_active(&table.physical, watch).await?;
        }
        Ok(Applied::Changed)
    }

    /// Has DynamoDB refuse to delete a table, or allow it.
    pub(super) async fn apply_deletion_protection(
        &self,
        table: &Table,
        mode: RepairMode,
        watch: SetupWatch<'_>,
    ) -> Result<Applied, Error> {
        let Some(wanted) = table.deletion_protection else {
            return Ok(Applied::AsDeclared);
        };
        let is_as_wanted = |found: &TableDescription| {
            found.deletion_protection_enabled.unwrap_or_default() == wanted
        };
        let name = &table.physical;
        let found = self.described(name).await?.unwrap_or_default();
        if is_as_wanted(&found) {
            return Ok(Applied::AsDeclared);
        }
        if mode == RepairMode::Plan {
            return Ok(Applied::Changed);
        }
        let update = UpdateTableInput {
            deletion_protection_enabled: Some(wanted),
            ..UpdateTableInput::new(name)
        };
        match self.executor.dynamo().update_table(update).await {
            Ok(_) => {}
            // A target that does not know the parameter sees a request that asks for nothing.
            Err(ServiceError::ValidationException { .. }) => return Ok(Applied::Lacking),
            Err(error) => return Err(Error::service(error)),
        }
        self.await_active(name, watch).await?;
        let found = self.described(name).await?.unwrap_or_default();
        if is_as_wanted(&found) {
            Ok(Applied::Changed)
        } else {
            Ok(Applied::Lacking)
        }
    }

    /// Gives a table the tags that it lacks. Others that it has stay.
    pub(super) async fn apply_tags(
        &self,
        table: &Table,
        mode: RepairMode,
    ) -> Result<Applied, Error> {
        if table.tags.is_empty() {
            return Ok(Applied::AsDeclared);
        }
        let found = self.described(&table.physical).await?.unwrap_or_default();
        let Some(arn) = found.table_arn else {
            return Ok(Applied::Lacking);
        };
        let known = match self.list_tags(&arn).await {
            Ok(known) => known,
            Err(ServiceError::UnknownOperationException { .. }) => return Ok(Applied::Lacking),
            Err(error) => return Err(Error::service(error)),
        };
        let missing = table.tags.iter();
        let missing = missing.filter(|(key, value)| known.get(*key) != Some(value));
        let missing: Vec<_> = missing.map(|(key, value)| Tag::new(key, value)).collect();
        if missing.is_empty() {
            return Ok(Applied::AsDeclared);
        }
        if mode == RepairMode::Write {
            let input = TagResourceInput::new(arn, missing);
            let tagged = self.executor.dynamo().tag_resource(input).await;
            tagged.map_err(Error::service)?;
        }
        Ok(Applied::Changed)
    }

    async fn list_tags(&self, arn: &str) -> Result<BTreeMap<String, String>, ServiceError> {
        let mut known = BTreeMap::new();
        let mut input = ListTagsOfResourceInput::new(arn);
        loop {
            let page = self.executor.dynamo();
            let page = page.list_tags_of_resource(input.clone()).await?;
            for tag in page.tags.unwrap_or_default() {
                known.insert(tag.key.unwrap_or_default(), tag.value.unwrap_or_default());
            }
            input.next_token = page.next_token;
            if input.next_token.is_none() {
                return Ok(known);
            }
        }
    }
}

/// The request that has a table paid for in another way; none if it is paid for so. DynamoDB refuses a request that
/// changes nothing, so it names only what is different.
fn bill(
    mut update: UpdateTableInput,
    wanted: Billing,
    found: &TableDescription,
) -> Option<UpdateTableInput> {
    let summary = found.billing_mode_summary.as_ref();
    let mode = summary.and_then(|summary| summary.billing_mode);
    let is_on_demand = mode == Some(BillingMode::PayPerRequest);
    let (read, write) = match wanted {
        Billing::OnDemand if is_on_demand => return None,
        Billing::OnDemand => {
            update.billing_mode = Some(BillingMode::PayPerRequest.into());
            return Some(update);
        }
        Billing::Provisioned { read, write } => (read, write),
    };
    let differs = |units: Option<&ProvisionedThroughputDescription>| {
        let units = units.map(|units| (units.read_capacity_units, units.write_capacity_units));
        is_on_demand || units != Some((Some(read.into()), Some(write.into())))
    };
    let mut is_changed = false;
    if differs(found.provisioned_throughput.as_ref()) {
        is_changed = true;
        update.billing_mode = Some(BillingMode::Provisioned.into());
        update.provisioned_throughput = Some(ProvisionedThroughput::new(read.into(), write.into()));
    }
    for index in found.global_secondary_indexes.iter().flatten() {
        if differs(index.provisioned_throughput.as_ref()) {
            is_changed = true;
            let name = index.index_name.clone().unwrap_or_default();
            let units = GlobalSecondaryIndexUpdate::provision(name, read.into(), write.into());
            update = update.index(units);
        }
    }
    is_changed.then_some(update)
}
