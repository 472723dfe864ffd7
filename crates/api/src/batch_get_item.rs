//! BatchGetItem: reads up to a hundred items of any tables.

use crate::capacity::ConsumedCapacity;
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path, Quoted};
use crate::echo::Echo;
use crate::expressions::{self, ExpressionNames, Substitutions, with_names};
use crate::legacy::{attributes_to_get, mixing};
use crate::structure::{map_only, structure};
use crate::{Error, ReturnConsumedCapacity, TableName, wording};
use monotable_expr::{ExpressionKind, Projection};
use monotable_item::{EncodedItem, GivenItem, limits};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

structure! {
    /// A BatchGetItem request.
    pub struct BatchGetItemInput {
        /// What to read, by table.
        request_items: BTreeMap<String, KeysAndAttributes>,
        /// Whether to return the consumed capacity.
        return_consumed_capacity: Chosen<ReturnConsumedCapacity>,
    }

    /// What to read of one table.
    pub struct KeysAndAttributes {
        /// The keys.
        keys: Vec<GivenItem>,
        /// Legacy: which attributes to return.
        #[serde(default, deserialize_with = "crate::bounded::list")]
        attributes_to_get: Vec<String>,
        /// Whether to see every write that was acknowledged before.
        consistent_read: bool,
        /// Which attributes to return.
        projection_expression: String,
        /// What stands for `#name`s.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        expression_attribute_names: ExpressionNames,
    }
}

/// A BatchGetItem answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "PascalCase")]
pub struct BatchGetItemOutput {
    /// The items that were found, by table.
    #[serde(default)]
    pub responses: BTreeMap<String, Vec<EncodedItem>>,
    /// What was not read and should be asked for again.
    #[serde(default)]
    pub unprocessed_keys: BTreeMap<String, KeysAndAttributes>,
    /// The consumed capacity, per table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consumed_capacity: Option<Vec<ConsumedCapacity>>,
}

map_only!(BatchGetItemOutput);
with_names!(KeysAndAttributes);

/// A BatchGetItem request, checked.
#[derive(Clone, Debug)]
pub struct ValidBatchGetItem {
    /// What to read, by table; no table twice.
    pub tables: Vec<BatchGetTable>,
    /// Whether to return the consumed capacity.
    pub capacity: ReturnConsumedCapacity,
}

/// What to read of one table, checked.
#[derive(Clone, Debug)]
pub struct BatchGetTable {
    /// The table.
    pub table: TableName,
    /// The table as the request names it, by name or ARN; the answer names it the same way.
    pub given_name: String,
    /// The keys.
    pub keys: Vec<EncodedItem>,
    /// Which attributes to return; all without one.
    pub projection: Option<Projection>,
    /// Whether to see every write that was acknowledged before.
    pub consistent: bool,
    /// All of the request but the keys.
    request: KeysAndAttributes,
}

impl BatchGetTable {
    /// The request to read these keys that were not processed.
    pub fn unprocessed(&self, keys: impl IntoIterator<Item = EncodedItem>) -> KeysAndAttributes {
        let keys = keys.into_iter().map(GivenItem::from).collect();
        KeysAndAttributes {
            keys: Some(keys),
            ..self.request.clone()
        }
    }
}

impl BatchGetItemInput {
    /// Reads items of this table.
    pub fn new(table: impl Into<String>, request: KeysAndAttributes) -> Self {
        Self::default().and(table, request)
    }

    /// And of this one.
    pub fn and(mut self, table: impl Into<String>, request: KeysAndAttributes) -> Self {
        self.request_items
            .get_or_insert_default()
            .insert(table.into(), request);
        self
    }

    /// Checks everything that can be judged without the tables.
    pub fn validate(self) -> Result<ValidBatchGetItem, Error> {
        let mut constraints = Constraints::default();
        let tables = self.constrain_tables(&mut constraints);
        let capacity = constraints.choice(
            Path::Root("returnConsumedCapacity"),
            &self.return_consumed_capacity,
        );
        let (names, requests) = constraints.finish(Some(tables).zip(self.request_items))?;
        if requests.is_empty() {
            return Err(Error::validation(wording::EMPTY_BATCH_GET));
        }
        if names.iter().collect::<BTreeSet<_>>().len() < names.len() {
            return Err(Error::validation(wording::DUPLICATE_TABLES));
        }
        let tables: Vec<_> = names
            .into_iter()
            .zip(requests)
            .map(|(table, (given_name, request))| request.checked(table, given_name))
            .collect::<Result<_, _>>()?;
        let keys: usize = tables.iter().map(|table| table.keys.len()).sum();
        if keys > limits::MAX_BATCH_GET {
            return Err(Error::validation(wording::BATCH_GET_TOO_LONG));
        }
        Ok(ValidBatchGetItem {
            tables,
            capacity: capacity.unwrap_or_default(),
        })
    }

    /// Checks the constraints on the map. The names are names only if these hold.
    fn constrain_tables(&self, constraints: &mut Constraints) -> Vec<TableName> {
        const PATH: Path<'static> = Path::Root("requestItems");
        let Some(requests) = constraints.required(PATH, &self.request_items) else {
            return Vec::new();
        };
        let names: Result<Vec<_>, _> = requests.keys().map(|name| TableName::parse(name)).collect();
        if names.is_err() {
            let value = Quoted(Echo(requests)).to_string();
            constraints.report(value, PATH, wording::TABLE_NAME_KEYS);
        }
        for (name, request) in requests {
            let entry = PATH.entry(name);
            let path = entry.field("keys");
            if let Some(keys) = constraints.required(path, &request.keys) {
                constraints.list_length(path, keys, 1..=usize::MAX);
                constrain_count(constraints, name, keys.len());
            }
            let path = entry.field("attributesToGet");
            attributes_to_get::constrain(constraints, path, &request.attributes_to_get);
        }
        names.unwrap_or_default()
    }
}

/// Checks how many keys of one table are asked for.
fn constrain_count(constraints: &mut Constraints, table: &str, count: usize) {
    if count <= limits::MAX_BATCH_GET {
        return;
    }
    let entry = Path::Root("RequestItems");
    let entry = entry.entry(table);
    let most = limits::MAX_BATCH_GET;
    constraints.report_newer(
        entry.field("Keys"),
        format_args!("Member must have length less than or equal to {most}"),
    );
}

impl KeysAndAttributes {
    /// The items with these keys.
    pub fn new<K: Into<GivenItem>>(keys: impl IntoIterator<Item = K>) -> Self {
        Self {
            keys: Some(keys.into_iter().map(Into::into).collect()),
            ..Self::default()
        }
    }

    /// Returns only these attributes.
    pub fn projection(mut self, expression: impl Into<String>) -> Self {
        self.projection_expression = Some(expression.into());
        self
    }

    /// Sees every write that was acknowledged before.
    pub fn consistent(mut self) -> Self {
        self.consistent_read = Some(true);
        self
    }

    fn checked(mut self, table: TableName, given_name: String) -> Result<BatchGetTable, Error> {
        mixing::check_mixing(
            &[("AttributesToGet", self.attributes_to_get.is_some())],
            &[("ProjectionExpression", &self.projection_expression)],
        )?;
        let substitutions = Substitutions::names_only(&self.expression_attribute_names);
        substitutions.check_needed(&[(ExpressionKind::Projection, &self.projection_expression)])?;
        let attributes = attributes_to_get::projection(&self.attributes_to_get)?;
        let projection = substitutions.parse(|placeholders| {
            expressions::projection(&self.projection_expression, placeholders)
        })?;
        let keys = self.keys.take().unwrap_or_default();
        let keys = keys
            .into_iter()
            .map(|key| key.into_checked().map_err(Error::validation))
            .collect::<Result<_, _>>()?;
        let consistent = self.consistent_read.unwrap_or_default();
        Ok(BatchGetTable {
            table,
            given_name,
            keys,
            projection: projection.or(attributes),
            consistent,
            request: self,
        })
    }
}
