//! The two tables.

use crate::exchange::{Draft, Expected};
use serde_json::{Value, json};

/// A table of the contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    /// With a partition key and a sort key, and nothing more.
    Plain,
    /// With two indexes that hold whole items.
    Indexed,
}

impl Table {
    pub(crate) const ALL: [Self; 2] = [Self::Plain, Self::Indexed];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Plain => "Plain",
            Self::Indexed => "Indexed",
        }
    }

    pub(crate) fn create(self) -> Draft {
        let mut body = json!({
            "TableName": self.name(),
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": schema("PK", "SK"),
        });
        let mut keys = vec!["PK", "SK"];
        if self == Self::Indexed {
            keys.extend(["GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"]);
            let indexes = json!([
                index("GSI1", "GSI1PK", "GSI1SK"),
                index("GSI2", "GSI2PK", "GSI2SK"),
            ]);
            insert(&mut body, "GlobalSecondaryIndexes", indexes);
        }
        let definitions = keys.into_iter().map(definition).collect();
        insert(&mut body, "AttributeDefinitions", definitions);
        Draft {
            operation: "CreateTable",
            body: body.to_string(),
            expected: Expected::default(),
        }
    }

    pub(crate) fn describe(self) -> Draft {
        Draft {
            operation: "DescribeTable",
            body: json!({ "TableName": self.name() }).to_string(),
            expected: Expected::default(),
        }
    }
}

fn insert(body: &mut Value, name: &str, value: Value) {
    if let Some(members) = body.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
}

fn schema(partition: &str, sort: &str) -> Value {
    json!([
        { "AttributeName": partition, "KeyType": "HASH" },
        { "AttributeName": sort, "KeyType": "RANGE" },
    ])
}

fn index(name: &str, partition: &str, sort: &str) -> Value {
    json!({
        "IndexName": name,
        "KeySchema": schema(partition, sort),
        "Projection": { "ProjectionType": "ALL" },
    })
}

fn definition(name: &str) -> Value {
    json!({ "AttributeName": name, "AttributeType": "S" })
}

/// Whether an answer of `DescribeTable` says that the table and all its indexes can be used.
pub(crate) fn is_active(description: &[u8]) -> bool {
    let description: Value = serde_json::from_slice(description).unwrap_or_default();
    let table = description.get("Table");
    let active = |value: &Value, member| value.get(member).is_some_and(|status| status == "ACTIVE");
    let indexes = table.and_then(|table| table.get("GlobalSecondaryIndexes"));
    let mut indexes = indexes.and_then(Value::as_array).into_iter().flatten();
    table.is_some_and(|table| active(table, "TableStatus"))
        && indexes.all(|index| active(index, "IndexStatus"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_active_with_its_last_index() {
        let description = |table: &str, index: &str| {
            let indexes = [
                json!({ "IndexStatus": "ACTIVE" }),
                json!({ "IndexStatus": index }),
            ];
            let table = json!({ "TableStatus": table, "GlobalSecondaryIndexes": indexes });
            json!({ "Table": table }).to_string()
        };
        assert!(is_active(description("ACTIVE", "ACTIVE").as_bytes()));
        assert!(!is_active(description("ACTIVE", "CREATING").as_bytes()));
        assert!(!is_active(description("CREATING", "ACTIVE").as_bytes()));
        assert!(!is_active(b"{}"));
    }
}
