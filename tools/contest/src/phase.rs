//! What is measured: one kind of request at a time.

use crate::exchange::{Draft, Expected};
use crate::item::{self, ITEM_BYTES, Item, Kind, ROW_BYTES, ROWS};
use crate::table::Table;
use fastrand::Rng;
use serde::Serialize;

/// How many puts a transaction has.
const TRANSACTED: u64 = 4;
/// How many items a batch of the load has: DynamoDB's most.
pub(crate) const BATCH: u64 = 25;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    Put,
    Indexed,
    Get,
    Query,
    Transaction,
}

/// What a server holds before the clock starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dataset {
    /// Items of 1 KB, one in each partition.
    pub(crate) items: u64,
}

impl Dataset {
    /// Items of 256 B, twenty in each partition: a fifth as many.
    pub(crate) const fn rows(self) -> u64 {
        self.items / 5 / ROWS * ROWS
    }

    pub(crate) const fn batches(self) -> u64 {
        self.items.div_ceil(BATCH) + self.rows().div_ceil(BATCH)
    }

    /// One batch of the load.
    pub(crate) fn batch(self, number: u64) -> Draft {
        let plain = self.items.div_ceil(BATCH);
        let (kind, first, end) = if number < plain {
            (Kind::Loaded, number * BATCH, self.items)
        } else {
            (Kind::Row, (number - plain) * BATCH, self.rows())
        };
        let puts: Vec<String> = (first..(first + BATCH).min(end))
            .map(|number| Item::new(kind, number).json())
            .map(|item| format!("{{\"PutRequest\":{{\"Item\":{item}}}}}"))
            .collect();
        let (table, puts) = (Table::Plain.name(), puts.join(","));
        Draft {
            operation: "BatchWriteItem",
            body: format!("{{\"RequestItems\":{{\"{table}\":[{puts}]}}}}"),
            expected: Expected {
                least_bytes: 2,
                contents: vec!["\"UnprocessedItems\":{}".into()],
                ..Expected::default()
            },
        }
    }
}

impl Phase {
    pub(crate) const ALL: [Self; 5] = [
        Self::Put,
        Self::Indexed,
        Self::Get,
        Self::Query,
        Self::Transaction,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Put => "put",
            Self::Indexed => "indexed",
            Self::Get => "get",
            Self::Query => "query",
            Self::Transaction => "transaction",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.name() == name)
    }

    /// Whether its requests can be sent again when all were sent. A put sent twice would replace
    /// its item, which is not what is measured.
    pub(crate) const fn repeats(self) -> bool {
        matches!(self, Self::Get | Self::Query)
    }

    /// How many of `requests` puts or reads this is: a transaction stands for four puts.
    pub(crate) const fn share(self, requests: u64) -> u64 {
        match self {
            Self::Transaction => requests / TRANSACTED,
            _ => requests,
        }
    }

    /// One request.
    pub(crate) fn draft(self, dataset: Dataset, number: u64) -> Draft {
        match self {
            Self::Put => put(Table::Plain, Kind::Put, number),
            Self::Indexed => put(Table::Indexed, Kind::Indexed, number),
            Self::Get => get(Table::Plain, Kind::Loaded, anywhere(number, dataset.items)),
            Self::Query => query(anywhere(number, dataset.rows() / ROWS)),
            Self::Transaction => transaction(number),
        }
    }

    /// Requests that find what the request of that number has written.
    pub(crate) fn read_back(self, number: u64) -> Vec<Draft> {
        match self {
            Self::Put => vec![get(Table::Plain, Kind::Put, number)],
            Self::Indexed => vec![
                get(Table::Indexed, Kind::Indexed, number),
                query_index(number),
            ],
            Self::Transaction => transacted(number)
                .map(|number| get(Table::Plain, Kind::Transacted, number))
                .collect(),
            Self::Get | Self::Query => Vec::new(),
        }
    }
}

/// A place below `end`, the same each time.
fn anywhere(number: u64, end: u64) -> u64 {
    Rng::with_seed(number).u64(..end.max(1))
}

fn put(table: Table, kind: Kind, number: u64) -> Draft {
    let (table, item) = (table.name(), Item::new(kind, number).json());
    Draft {
        operation: "PutItem",
        body: format!("{{\"TableName\":\"{table}\",\"Item\":{item}}}"),
        expected: Expected {
            least_bytes: 2,
            contents: Vec::new(),
            ..Expected::default()
        },
    }
}

fn get(table: Table, kind: Kind, number: u64) -> Draft {
    let (table, key) = (table.name(), item::key_json(kind, number));
    Draft {
        operation: "GetItem",
        body: format!("{{\"TableName\":\"{table}\",\"Key\":{key},\"ConsistentRead\":true}}"),
        expected: Expected {
            least_bytes: ITEM_BYTES,
            contents: vec![item::partition(kind, number), Item::new(kind, number).tail],
            ..Expected::default()
        },
    }
}

fn query(partition: u64) -> Draft {
    let first = partition * ROWS;
    let contents = [first, first + ROWS - 1].map(|number| Item::new(Kind::Row, number).tail);
    let key = item::partition(Kind::Row, first);
    Draft {
        operation: "Query",
        body: format!(
            "{{\"TableName\":\"{}\",\"KeyConditionExpression\":\"PK = :partition\",\
             \"ExpressionAttributeValues\":{{\":partition\":{{\"S\":\"{key}\"}}}},\
             \"ConsistentRead\":true}}",
            Table::Plain.name()
        ),
        expected: Expected {
            least_bytes: ROW_BYTES * ROWS as usize,
            contents: [vec![format!("\"Count\":{ROWS}")], contents.to_vec()].concat(),
            ..Expected::default()
        },
    }
}

fn query_index(number: u64) -> Draft {
    let key = item::index_partition(number);
    Draft {
        operation: "Query",
        body: format!(
            "{{\"TableName\":\"{}\",\"IndexName\":\"GSI1\",\
             \"KeyConditionExpression\":\"GSI1PK = :partition\",\
             \"ExpressionAttributeValues\":{{\":partition\":{{\"S\":\"{key}\"}}}}}}",
            Table::Indexed.name()
        ),
        expected: Expected {
            least_bytes: ITEM_BYTES,
            contents: vec![Item::new(Kind::Indexed, number).tail],
            ..Expected::default()
        },
    }
}

fn transacted(number: u64) -> impl Iterator<Item = u64> {
    number * TRANSACTED..(number + 1) * TRANSACTED
}

fn transaction(number: u64) -> Draft {
    let table = Table::Plain.name();
    let puts: Vec<String> = transacted(number)
        .map(|number| Item::new(Kind::Transacted, number).json())
        .map(|item| format!("{{\"Put\":{{\"TableName\":\"{table}\",\"Item\":{item}}}}}"))
        .collect();
    Draft {
        operation: "TransactWriteItems",
        body: format!("{{\"TransactItems\":[{}]}}", puts.join(",")),
        expected: Expected {
            least_bytes: 2,
            contents: Vec::new(),
            ..Expected::default()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const DATASET: Dataset = Dataset { items: 130 };

    #[test]
    fn the_load_holds_every_item_once() {
        let mut keys = std::collections::HashSet::new();
        for number in 0..DATASET.batches() {
            let body: Value = serde_json::from_str(&DATASET.batch(number).body).unwrap();
            let puts = body["RequestItems"]["Plain"].as_array().unwrap();
            assert!((1..=25).contains(&puts.len()), "batch {number}");
            for put in puts {
                let item = &put["PutRequest"]["Item"];
                assert!(keys.insert((item["PK"].to_string(), item["SK"].to_string())));
            }
        }
        assert_eq!(keys.len() as u64, DATASET.items + DATASET.rows());
    }

    #[test]
    fn requests_are_valid_json() {
        for phase in Phase::ALL {
            for draft in [vec![phase.draft(DATASET, 5)], phase.read_back(5)].concat() {
                let body: Result<Value, _> = serde_json::from_str(&draft.body);
                assert!(body.is_ok(), "{}", draft.body);
            }
        }
    }
}
