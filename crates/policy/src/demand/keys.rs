//! Where the partition keys of an access stand in its request.

use crate::table_keys::KeyNames;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use monotable_expr::KeyCondition;
use monotable_expr::partiql::{KeyEqualities, ReadPlan, Reads, RepeatedKey};
use monotable_expr::tree::Predicate;
use monotable_item::limits::MAX_STATEMENT_READS;
use monotable_item::{EncodedItem, ItemView, ValueView};

/// Where the partition keys of an access stand.
#[derive(Clone, Debug)]
pub(super) enum Keys {
    /// In items, or keys of items.
    Items(Vec<EncodedItem>),
    /// In the key condition of a Query.
    Condition(KeyCondition),
    /// In what a SELECT asks of items. Without a value for the partition key it reads everything.
    Select(Option<Predicate>),
    /// In what a statement asks of its one item.
    Equalities(Option<Predicate>),
}

/// What the keys of a table or index make of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// The values, one list for each attribute of the partition key.
    pub(super) partitions: Vec<Vec<String>>,
    pub(super) full_table_scan: Option<bool>,
}

impl Keys {
    pub(super) fn resolve(&self, names: &KeyNames) -> Found {
        match self {
            Self::Items(items) => Found::of_items(items.iter().map(EncodedItem::view), names),
            Self::Condition(condition) => Found {
                partitions: values_of_condition(condition, names),
                full_table_scan: None,
            },
            Self::Select(condition) => select(condition.as_ref(), names),
            Self::Equalities(condition) => {
                let key = condition
                    .as_ref()
                    .and_then(|found| equalities(found, names));
                Found::of_items(key.iter().map(EncodedItem::view), names)
            }
        }
    }

    /// Of a table or index that does not exist.
    pub(super) const fn unresolved(&self) -> Found {
        Found {
            partitions: Vec::new(),
            full_table_scan: match self {
                Self::Select(_) => Some(true),
                Self::Items(_) | Self::Condition(_) | Self::Equalities(_) => None,
            },
        }
    }
}

impl Found {
    fn of_items<'i>(items: impl Iterator<Item = ItemView<'i>> + Clone, names: &KeyNames) -> Self {
        let values = |name: &String| {
            let values = items.clone().filter_map(|item| item.get(name));
            distinct(values.filter_map(text))
        };
        Self {
            partitions: names.partition.iter().map(values).collect(),
            full_table_scan: None,
        }
    }
}

fn values_of_condition(condition: &KeyCondition, names: &KeyNames) -> Vec<Vec<String>> {
    let partition: Vec<_> = names.partition.iter().map(String::as_str).collect();
    let sort: Vec<_> = names.sort.iter().map(String::as_str).collect();
    // One that does not fit the key is refused by whoever is asked to carry it out.
    let range = condition.resolve(&partition, &sort).ok();
    let values = range.into_iter().flat_map(|range| range.hash);
    values
        .map(|value| distinct(text(value.view()).into_iter()))
        .collect()
}

/// The partitions that a SELECT reads, as the engine works them out.
fn select(condition: Option<&Predicate>, names: &KeyNames) -> Found {
    let everything = Found {
        partitions: Vec::new(),
        full_table_scan: Some(true),
    };
    let (Some(condition), Some(partition)) = (condition, names.partition.first()) else {
        return everything;
    };
    let sort = names.sort.first().map(String::as_str);
    let plan = ReadPlan::new(condition.clone(), partition, sort);
    match plan.reads(MAX_STATEMENT_READS) {
        Ok(Reads::Partitions(reads)) => {
            let values = reads.iter().filter_map(|read| text(read.partition.view()));
            Found {
                partitions: vec![distinct(values)],
                full_table_scan: Some(false),
            }
        }
        Ok(Reads::All(_)) | Err(_) => everything,
    }
}

fn equalities(condition: &Predicate, names: &KeyNames) -> Option<EncodedItem> {
    let attributes = names.partition.iter().chain(&names.sort);
    let attributes: Vec<_> = attributes.map(String::as_str).collect();
    let found = KeyEqualities::new(condition.clone(), &attributes, RepeatedKey::Condition);
    found.ok().map(|found| found.key)
}

/// The value of a key as conditions compare it: a number in its shortest form, bytes in Base64. Other values are in no
/// key, and a request with one is refused by whoever is asked to carry it out.
fn text(value: ValueView<'_>) -> Option<String> {
    match value {
        ValueView::S(text) => Some(text.to_owned()),
        ValueView::N(number) => Some(number.as_str().to_owned()),
        ValueView::B(bytes) => Some(STANDARD.encode(bytes)),
        _ => None,
    }
}

fn distinct(values: impl Iterator<Item = String>) -> Vec<String> {
    let mut distinct = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}
