//! The same operations on an engine.

use crate::concrete::{Change, Concrete, ItemWrite, Key, Transaction};
use crate::engine_read;
use crate::operation::{Returned, TableChange};
use crate::outcome::{Described, Failure, Outcome, sorted};
use crate::path::{Path, Placeholders, render_all};
use crate::update;
use monotable_api::{
    BatchGetItemInput, BatchWriteItemInput, BillingMode, Choice, DeleteItemInput, DeleteTableInput,
    DescribeTableInput, Error, ExpressionNames, ExpressionValues, Get, GetItemInput,
    KeysAndAttributes, ListTablesInput, ProvisionedThroughput, PutItemInput, ReturnValue,
    ReturnValuesOnConditionCheckFailure as OnFailure, TransactConditionCheck, TransactDelete,
    TransactGetItemsInput, TransactPut, TransactUpdate, TransactWriteItem, TransactWriteItemsInput,
    UpdateItemInput, UpdateTableInput, WriteRequest,
};
use monotable_engine::Engine;
use monotable_item::{EncodedItem, Item};
use std::collections::BTreeMap;

/// Carries out an operation.
pub fn run(engine: &Engine, operation: &Concrete) -> Outcome {
    attempt(engine, operation).unwrap_or_else(|error| Outcome::Failed(failure(error)))
}

fn attempt(engine: &Engine, operation: &Concrete) -> Result<Outcome, Error> {
    Ok(match operation {
        Concrete::CreateTable(name, schema) => {
            engine.create_table(schema.create(name))?;
            Outcome::Done
        }
        Concrete::DeleteTable(name) => {
            engine.delete_table(DeleteTableInput::new(*name))?;
            Outcome::Done
        }
        Concrete::UpdateTable(name, change) => {
            engine.update_table(update_table(name, *change))?;
            Outcome::Done
        }
        Concrete::DescribeTable(name) => describe(engine, name)?,
        Concrete::ListTables(after, limit) => {
            let names = engine.list_tables(ListTablesInput {
                exclusive_start_table_name: after.map(str::to_owned),
                limit: limit.map(i64::from),
            })?;
            Outcome::Names(names.table_names, names.last_evaluated_table_name)
        }
        Concrete::Get(key, projection, consistent) => {
            get(engine, key, projection.as_deref(), *consistent)?
        }
        Concrete::Write(write, returned, old_on_failure) => {
            single(engine, write, *returned, *old_on_failure)?
        }
        Concrete::Query(read, partition) => engine_read::query(engine, read, partition)?,
        Concrete::Scan(read, segments) => engine_read::scan(engine, read, *segments)?,
        Concrete::BatchGet(keys, projection) => batch_get(engine, keys, projection.as_deref())?,
        Concrete::BatchWrite(writes) => batch_write(engine, writes)?,
        Concrete::TransactGet(gets) => transact_get(engine, gets)?,
        Concrete::TransactWrite(transaction) => {
            engine.transact_write_items(transact_write(transaction))?;
            Outcome::Done
        }
        Concrete::PassTime(_) | Concrete::Reopen => Outcome::Done,
    })
}

fn failure(error: Error) -> Failure {
    let message = Some(error.message().into_owned());
    let code = error.code();
    let (item, reasons) = match error {
        Error::ConditionalCheckFailedException { item, .. } => (item, Vec::new()),
        Error::TransactionCanceledException { reasons } => (None, reasons),
        _ => (None, Vec::new()),
    };
    let reasons = reasons.into_iter();
    Failure {
        code,
        message,
        item: plain(item),
        reasons: reasons
            .map(|reason| (reason.code.as_str().to_owned(), plain(reason.item)))
            .collect(),
    }
}

pub fn plain(item: Option<EncodedItem>) -> Option<Item> {
    item.map(|item| item.to_item())
}

pub fn names(placeholders: &Placeholders) -> Option<ExpressionNames> {
    (!placeholders.names.is_empty()).then(|| placeholders.names.clone())
}

pub fn values(placeholders: &Placeholders) -> Option<ExpressionValues> {
    (!placeholders.values.is_empty()).then(|| placeholders.values.clone().into())
}

fn update_table(name: &str, change: TableChange) -> UpdateTableInput {
    let input = UpdateTableInput {
        table_name: Some(name.to_owned()),
        ..UpdateTableInput::default()
    };
    match change {
        TableChange::Protect(protected) => UpdateTableInput {
            deletion_protection_enabled: Some(protected),
            ..input
        },
        TableChange::PayByUse => UpdateTableInput {
            billing_mode: Some(BillingMode::PayPerRequest.into()),
            ..input
        },
        TableChange::Provision(units) => UpdateTableInput {
            billing_mode: Some(BillingMode::Provisioned.into()),
            provisioned_throughput: Some(ProvisionedThroughput::new(units.into(), units.into())),
            ..input
        },
    }
}

fn describe(engine: &Engine, name: &str) -> Result<Outcome, Error> {
    let table = engine
        .describe_table(DescribeTableInput::new(name))?
        .table
        .unwrap();
    let keys = table.key_schema.unwrap_or_default().into_iter();
    let local = table
        .local_secondary_indexes
        .unwrap_or_default()
        .into_iter();
    let global = table
        .global_secondary_indexes
        .unwrap_or_default()
        .into_iter();
    let indexes = local.map(|index| index.index_name);
    let indexes = indexes
        .chain(global.map(|index| index.index_name))
        .flatten();
    let units = table.provisioned_throughput.unwrap();
    assert_eq!(units.read_capacity_units, units.write_capacity_units);
    Ok(Outcome::Described(Described {
        keys: keys.filter_map(|key| key.attribute_name).collect(),
        indexes: indexes.collect(),
        protected: table.deletion_protection_enabled == Some(true),
        provisioned: units.read_capacity_units.filter(|units| *units > 0),
    }))
}

fn get(
    engine: &Engine,
    key: &Key,
    projection: Option<&[Path]>,
    consistent: bool,
) -> Result<Outcome, Error> {
    let mut placeholders = Placeholders::default();
    let projection = projection.map(|paths| render_all(paths, &mut placeholders));
    let output = engine.get_item(GetItemInput {
        projection_expression: projection,
        expression_attribute_names: names(&placeholders),
        consistent_read: Some(consistent),
        ..GetItemInput::new(key.table, key.key.clone())
    })?;
    Ok(Outcome::Attributes(plain(output.item)))
}

fn single(
    engine: &Engine,
    write: &ItemWrite,
    returned: Returned,
    old_on_failure: bool,
) -> Result<Outcome, Error> {
    let rendered = Rendered::of(write, old_on_failure);
    let (table, subject) = (write.table, write.subject.clone());
    let return_values = Some(match returned {
        Returned::None => ReturnValue::None,
        Returned::AllOld => ReturnValue::AllOld,
        Returned::AllNew => ReturnValue::AllNew,
        Returned::UpdatedOld => ReturnValue::UpdatedOld,
        Returned::UpdatedNew => ReturnValue::UpdatedNew,
    });
    let return_values = return_values.map(Into::into);
    let attributes = match &write.change {
        Change::Put => {
            let input = PutItemInput {
                return_values,
                ..PutItemInput::new(table, subject)
            };
            engine.put_item(rendered.fill(input))?.attributes
        }
        Change::Update(_) => {
            let input = UpdateItemInput {
                return_values,
                update_expression: rendered.update.clone(),
                ..UpdateItemInput::new(table, subject)
            };
            engine.update_item(rendered.fill(input))?.attributes
        }
        Change::Delete | Change::Check => {
            let input = DeleteItemInput {
                return_values,
                ..DeleteItemInput::new(table, subject)
            };
            engine.delete_item(rendered.fill(input))?.attributes
        }
    };
    Ok(Outcome::Attributes(plain(attributes)))
}

/// The expressions of a write.
struct Rendered {
    update: Option<String>,
    condition: Option<String>,
    placeholders: Placeholders,
    on_failure: OnFailure,
}

impl Rendered {
    fn of(write: &ItemWrite, old_on_failure: bool) -> Self {
        let mut placeholders = Placeholders::default();
        let update = match &write.change {
            Change::Update(actions) => Some(update::render(actions, &mut placeholders)),
            Change::Put | Change::Delete | Change::Check => None,
        };
        let condition = write.condition.as_ref();
        Self {
            update,
            condition: condition.map(|test| test.render(&mut placeholders)),
            placeholders,
            on_failure: if old_on_failure {
                OnFailure::AllOld
            } else {
                OnFailure::None
            },
        }
    }

    fn fill<W: Conditional>(&self, mut write: W) -> W {
        let (condition, given_names, given_values, on_failure) = write.members();
        condition.clone_from(&self.condition);
        *given_names = names(&self.placeholders);
        *given_values = values(&self.placeholders);
        *on_failure = Some(self.on_failure.into());
        write
    }
}

type Members<'a> = (
    &'a mut Option<String>,
    &'a mut Option<ExpressionNames>,
    &'a mut Option<ExpressionValues>,
    &'a mut Option<monotable_api::Chosen<OnFailure>>,
);

/// The members that all conditional writes have.
trait Conditional {
    fn members(&mut self) -> Members<'_>;
}

macro_rules! conditional {
    ($($write:ty),*) => {$(
        impl Conditional for $write {
            fn members(&mut self) -> Members<'_> {
                (
                    &mut self.condition_expression,
                    &mut self.expression_attribute_names,
                    &mut self.expression_attribute_values,
                    &mut self.return_values_on_condition_check_failure,
                )
            }
        }
    )*};
}

conditional!(
    PutItemInput,
    UpdateItemInput,
    DeleteItemInput,
    TransactPut,
    TransactUpdate,
    TransactDelete,
    TransactConditionCheck
);

fn batch_get(engine: &Engine, keys: &[Key], projection: Option<&[Path]>) -> Result<Outcome, Error> {
    let mut by_table: BTreeMap<&str, Vec<Item>> = BTreeMap::new();
    for key in keys {
        by_table.entry(key.table).or_default().push(key.key.clone());
    }
    let mut input = BatchGetItemInput::default();
    for (table, keys) in by_table {
        let mut placeholders = Placeholders::default();
        let projection = projection.map(|paths| render_all(paths, &mut placeholders));
        let request = KeysAndAttributes {
            projection_expression: projection,
            expression_attribute_names: names(&placeholders),
            ..KeysAndAttributes::new(keys)
        };
        input = input.and(table, request);
    }
    let output = engine.batch_get_item(input)?;
    assert!(output.unprocessed_keys.is_empty());
    let found = output.responses.into_iter().map(|(table, items)| {
        let items = items.iter().map(EncodedItem::to_item).collect();
        (table, sorted(items))
    });
    Ok(Outcome::Found(found.collect()))
}

fn batch_write(engine: &Engine, writes: &[ItemWrite]) -> Result<Outcome, Error> {
    let mut input = BatchWriteItemInput::default();
    for write in writes {
        let request = match write.change {
            Change::Put => WriteRequest::put(write.subject.clone()),
            _ => WriteRequest::delete(write.subject.clone()),
        };
        input = input.and(write.table, [request]);
    }
    assert!(engine.batch_write_item(input)?.unprocessed_items.is_empty());
    Ok(Outcome::Done)
}

fn transact_get(engine: &Engine, gets: &[(Key, Option<Vec<Path>>)]) -> Result<Outcome, Error> {
    let gets = gets.iter().map(|(key, projection)| {
        let mut placeholders = Placeholders::default();
        let projection = projection.as_deref();
        Get {
            projection_expression: projection.map(|paths| render_all(paths, &mut placeholders)),
            expression_attribute_names: names(&placeholders),
            ..Get::new(key.table, key.key.clone())
        }
    });
    let output = engine.transact_get_items(TransactGetItemsInput::new(gets))?;
    let responses = output.responses.unwrap().into_iter();
    Ok(Outcome::Items(
        responses.map(|response| plain(response.item)).collect(),
    ))
}

fn transact_write(transaction: &Transaction) -> TransactWriteItemsInput {
    let actions = transaction.actions.iter().map(|(write, old_on_failure)| {
        let rendered = Rendered::of(write, *old_on_failure);
        let (table, subject) = (write.table, write.subject.clone());
        let update = rendered.update.clone().unwrap_or_default();
        match &write.change {
            Change::Put => TransactWriteItem::from(rendered.fill(TransactPut::new(table, subject))),
            Change::Update(_) => rendered
                .fill(TransactUpdate::new(table, subject, update))
                .into(),
            Change::Delete => rendered.fill(TransactDelete::new(table, subject)).into(),
            Change::Check => rendered
                .fill(TransactConditionCheck::new(table, subject, ""))
                .into(),
        }
    });
    let input = TransactWriteItemsInput::new(actions);
    TransactWriteItemsInput {
        client_request_token: transaction.token.clone(),
        ..input
    }
}
