//! UpdateTable: billing, indexes, stream, deletion protection, class and encryption.

use super::{Execute, description, index_set, vector_index_set};
use crate::catalog::{CatalogRows, Ids, Table, TableDefinition, to_row};
use crate::commit::Group;
use crate::engine::Core;
use crate::step::Step;
use crate::store::{Space, StoreFault};
use crate::stream;
use crate::wording;
use monotable_api::{
    Billing, BillingMode, Error, IndexUpdate, OnDemandThroughput, StreamChange, TableStatus,
    UpdateTable, UpdateTableInput, UpdateTableOutput, ValidUpdateTable,
};
use std::sync::Arc;

impl Execute for UpdateTable {
    fn start(core: &Arc<Core>, input: UpdateTableInput) -> Result<Step<UpdateTableOutput>, Error> {
        let valid = input.validate()?;
        let now = core.now_millis();
        let region = core.region.clone();
        // Not the core itself: the committer must never be the last to hold it.
        let housekeeper = core.housekeeper.clone();
        let pending = core.committer.submit(move |group| {
            let name = valid.table.as_str();
            let Some(table) = group.catalog().get(name).map(Arc::clone) else {
                return Ok(Err(wording::named_table_not_found(name)));
            };
            if !table.is_filled() {
                return Ok(Err(wording::table_is_created(name)));
            }
            let indexes = index_set::check(&table, &valid.index_updates);
            let vectors = || vector_index_set::check(&table, &valid.vector_updates);
            if let Err(error) = indexes.and_then(|()| vectors()) {
                return Ok(Err(error));
            }
            let mut definition = match changed(&table, &valid, now) {
                Ok(definition) => definition,
                Err(error) => return Ok(Err(error)),
            };
            if let Some(change) = valid.stream {
                if let Err(error) = check_stream(&table, change) {
                    return Ok(Err(error));
                }
                switch_stream(group, &mut definition, change, now)?;
            }
            let row = CatalogRows::table(name);
            index_set::change(group, &mut definition, valid.index_updates)?;
            vector_index_set::change(group, &mut definition, valid.vector_updates)?;
            group.write(Space::Meta, row, Some(to_row(&definition)?));
            let table = table.redefined(definition);
            if table.changing_index().is_some() {
                housekeeper.wake();
            }
            let mut table_description =
                description::describe(&table, &region, TableStatus::Updating);
            if let Some(limits) = &valid.on_demand {
                let described = table_description.on_demand_throughput.take();
                table_description.on_demand_throughput = limits.show_removals(described);
            }
            let catalog = group.catalog().with(table);
            group.set_catalog(catalog);
            Ok(Ok(UpdateTableOutput {
                table_description: Some(table_description),
            }))
        });
        Ok(Step::Table(pending))
    }
}

fn check_stream(table: &Table, change: StreamChange) -> Result<(), Error> {
    match (change, table.stream) {
        (StreamChange::Enable(_), Some(_)) => Err(wording::stream_is_enabled(table.name())),
        (StreamChange::Disable, None) => Err(wording::no_stream_to_disable(table.name())),
        (StreamChange::Enable(_), None) | (StreamChange::Disable, Some(_)) => Ok(()),
    }
}

fn switch_stream(
    group: &mut Group<'_>,
    definition: &mut TableDefinition,
    change: StreamChange,
    now: u64,
) -> Result<(), StoreFault> {
    match change {
        StreamChange::Enable(view) => {
            let mut ids = Ids::load(group)?;
            stream::enable(group, definition, view, &mut ids, now)?;
            ids.store(group);
            Ok(())
        }
        StreamChange::Disable => stream::disable(group, definition, now),
    }
}

fn changed(table: &Table, valid: &ValidUpdateTable, now: u64) -> Result<TableDefinition, Error> {
    let mut definition = table.definition.clone();
    if let Some(billing) = billing(&definition, valid)? {
        definition.billing = definition.billing.changed(billing, now);
    }
    let mut indexes = table.indexes.iter().filter(|index| index.is_kept());
    let has_vectors = indexes.any(|index| index.vector.is_some());
    if has_vectors && definition.billing.provisioned.is_some() {
        return Err(wording::vector_index_of_provisioned_table());
    }
    for update in &valid.index_updates {
        update_index(&mut definition, update)?;
    }
    // What the other way of paying has is forgotten.
    let is_provisioned = definition.billing.provisioned.is_some();
    for index in &mut definition.indexes {
        if is_provisioned {
            index.on_demand = None;
        } else {
            index.throughput = None;
        }
    }
    if let Some(protected) = valid.deletion_protection {
        definition.deletion_protection = protected;
    }
    definition.class = valid.class.or(definition.class);
    definition.encryption = valid.encryption.clone().or(definition.encryption);
    definition.warm_throughput = valid.warm_throughput.clone().or(definition.warm_throughput);
    Ok(definition)
}

fn billing(
    definition: &TableDefinition,
    valid: &ValidUpdateTable,
) -> Result<Option<Billing>, Error> {
    let before = &definition.billing;
    let is_provisioned = match valid.billing_mode {
        Some(mode) => mode == BillingMode::Provisioned,
        None => before.provisioned.is_some(),
    };
    if let (true, Some(limits)) = (is_provisioned, &valid.on_demand) {
        limits.refuse_for_provisioned_table()?;
    }
    let on_demand = || change_limits(valid.on_demand.as_ref(), before.on_demand.as_ref());
    match (valid.billing_mode, valid.throughput) {
        (Some(BillingMode::PayPerRequest), _) => Ok(Some(Billing::OnDemand(on_demand()))),
        (Some(BillingMode::Provisioned), None) => Ok(None),
        (None, None) if valid.on_demand.is_some() && before.provisioned.is_none() => {
            Ok(Some(Billing::OnDemand(on_demand())))
        }
        (None, None) => Ok(None),
        (None, Some(_)) if before.provisioned.is_none() => Err(wording::units_of_on_demand_table()),
        (None | Some(BillingMode::Provisioned), Some(units)) => {
            let same = before
                .provisioned
                .is_some_and(|now| now.read == units.read && now.write == units.write);
            if same && valid.index_updates.is_empty() {
                Err(wording::same_units(definition, units))
            } else {
                Ok(Some(Billing::Provisioned(units)))
            }
        }
    }
}

fn change_limits(
    wanted: Option<&OnDemandThroughput>,
    before: Option<&OnDemandThroughput>,
) -> Option<OnDemandThroughput> {
    match wanted {
        Some(wanted) => wanted.after(before),
        None => before.cloned(),
    }
}

fn update_index(definition: &mut TableDefinition, update: &IndexUpdate) -> Result<(), Error> {
    let is_provisioned = definition.billing.provisioned.is_some();
    match update {
        IndexUpdate::Create(_) | IndexUpdate::Delete { .. } => Ok(()),
        IndexUpdate::Update {
            name,
            throughput,
            on_demand,
        } => {
            let mut indexes = definition.indexes.iter_mut();
            let Some(index) = indexes.find(|index| index.name == name.as_str()) else {
                return Err(wording::index_not_found(name.as_str()));
            };
            index.throughput = throughput.map(Into::into).or(index.throughput);
            if let (true, Some(limits)) = (is_provisioned, on_demand) {
                limits.refuse_for_provisioned_index(name.as_str())?;
            }
            index.on_demand = change_limits(on_demand.as_ref(), index.on_demand.as_ref());
            Ok(())
        }
    }
}
