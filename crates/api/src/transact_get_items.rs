//! TransactGetItems: reads up to a hundred items of any tables at one point in time.

use crate::capacity::ConsumedCapacity;
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::expressions::{self, ExpressionNames, Substitutions, with_names};
use crate::structure::structure;
use crate::{Error, ReturnConsumedCapacity, TableName};
use monotable_expr::{ExpressionKind, Projection};
use monotable_item::{EncodedItem, GivenItem, limits};

structure! {
    /// A TransactGetItems request.
    pub struct TransactGetItemsInput {
        /// The reads.
        transact_items: Vec<TransactGetItem>,
        /// Whether to return the consumed capacity.
        return_consumed_capacity: Chosen<ReturnConsumedCapacity>,
    }

    /// One read.
    pub struct TransactGetItem {
        /// The read.
        get: Get,
    }

    /// Reads an item.
    pub struct Get {
        /// The item's key.
        key: GivenItem,
        /// The table, by name or ARN.
        table_name: String,
        /// Which attributes to return.
        projection_expression: String,
        /// What stands for `#name`s.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        expression_attribute_names: ExpressionNames,
    }

    /// A TransactGetItems answer.
    pub struct TransactGetItemsOutput {
        /// The consumed capacity, per table.
        consumed_capacity: Vec<ConsumedCapacity>,
        /// One for each read, in the order of the request.
        responses: Vec<ItemResponse>,
    }

    /// What one read found.
    pub struct ItemResponse {
        /// The item, if there is one.
        item: EncodedItem,
    }
}

with_names!(Get);

/// A TransactGetItems request, checked.
#[derive(Clone, Debug)]
pub struct ValidTransactGetItems {
    /// The reads.
    pub gets: Vec<TransactGet>,
    /// Whether to return the consumed capacity.
    pub capacity: ReturnConsumedCapacity,
}

/// One read, checked.
#[derive(Clone, Debug)]
pub struct TransactGet {
    /// The table.
    pub table: TableName,
    /// The item's key.
    pub key: EncodedItem,
    /// Which attributes to return; all without one.
    pub projection: Option<Projection>,
}

impl TransactGetItemsInput {
    /// These reads, at one point in time.
    pub fn new(gets: impl IntoIterator<Item = Get>) -> Self {
        let items = gets
            .into_iter()
            .map(|get| TransactGetItem { get: Some(get) })
            .collect();
        Self {
            transact_items: Some(items),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the tables.
    pub fn validate(self) -> Result<ValidTransactGetItems, Error> {
        const PATH: Path<'static> = Path::Root("transactItems");
        let mut constraints = Constraints::default();
        let capacity = constraints.choice(
            Path::Root("returnConsumedCapacity"),
            &self.return_consumed_capacity,
        );
        if let Some(items) = constraints.required(PATH, &self.transact_items) {
            constraints.list_length(PATH, items, 1..=limits::MAX_TRANSACTION_ACTIONS);
            for (index, item) in items.iter().enumerate() {
                item.constrain(&mut constraints, PATH.element(index));
            }
        }
        let items = constraints.finish(self.transact_items)?;
        let gets = items
            .into_iter()
            .map(|item| item.get.unwrap_or_default().checked());
        Ok(ValidTransactGetItems {
            gets: gets.collect::<Result<_, _>>()?,
            capacity: capacity.unwrap_or_default(),
        })
    }
}

impl TransactGetItem {
    fn constrain(&self, constraints: &mut Constraints, path: Path<'_>) {
        let path = path.field("get");
        let Some(get) = constraints.required(path, &self.get) else {
            return;
        };
        constraints.required(path.field("key"), &get.key);
        TableName::require(constraints, path.field("tableName"), &get.table_name);
    }
}

impl Get {
    /// Reads the item with this key.
    pub fn new(table: impl Into<String>, key: impl Into<GivenItem>) -> Self {
        Self {
            table_name: Some(table.into()),
            key: Some(key.into()),
            ..Self::default()
        }
    }

    /// Returns only these attributes.
    pub fn projection(mut self, expression: impl Into<String>) -> Self {
        self.projection_expression = Some(expression.into());
        self
    }

    /// The read, once its constraints hold.
    fn checked(self) -> Result<TransactGet, Error> {
        let substitutions = Substitutions::names_only(&self.expression_attribute_names);
        substitutions.check_needed(&[(ExpressionKind::Projection, &self.projection_expression)])?;
        let key = self
            .key
            .unwrap_or_default()
            .into_checked()
            .map_err(Error::validation)?;
        let projection = substitutions.parse(|placeholders| {
            expressions::projection(&self.projection_expression, placeholders)
        })?;
        let table = TableName::parse(&self.table_name.unwrap_or_default())?;
        Ok(TransactGet {
            table,
            key,
            projection,
        })
    }
}
