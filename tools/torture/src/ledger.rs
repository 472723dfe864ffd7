//! A table whose every state follows from one number, so that any copy of it can be judged by itself.
//!
//! One thread writes it step by step. Step k puts or deletes the items of one block, in a transaction that also puts the
//! number k, so that the table is at every moment [`state`] of the number that is in it. A backup, a restored table, an
//! export and an import have the number of the state that they must hold in their names: whoever finds one after a crash
//! knows what must be in it.

use monotable_api::{
    AttributeDefinition, BillingMode, CreateTableInput, GlobalSecondaryIndex, ImportTableInput,
    InputCompressionType, InputFormat, KeyRole, KeySchemaElement, S3BucketSource,
    ScalarAttributeType, TableCreationParameters, TransactDelete, TransactPut, TransactWriteItem,
};
use monotable_item::Item;
use std::collections::BTreeMap;

/// The table.
pub const LEDGER: &str = "ledger";
/// Its ARN, for exports.
pub const LEDGER_ARN: &str = "arn:aws:dynamodb:local:000000000000:table/ledger";
/// The table of times at which the ledger had a known state.
pub const MOMENTS: &str = "moments";
/// The bucket that exports go to.
pub const BUCKET: &str = "exports";

/// Blocks, and items of a block: more in all than the engine copies at once.
const BLOCKS: u64 = 50;
const BLOCK: u64 = 24;
/// The key of the item with the number of the state.
const HEAD: u64 = BLOCKS * BLOCK;

/// The state of the ledger after this many steps: items by their keys.
#[must_use]
pub fn state(steps: u64) -> BTreeMap<u64, Item> {
    let mut items = BTreeMap::new();
    // Older steps were overwritten.
    for step in steps.saturating_sub(BLOCKS) + 1..=steps {
        for key in block(step) {
            match item(step, key) {
                Some(item) => items.insert(key, item),
                None => items.remove(&key),
            };
        }
    }
    if steps > 0 {
        items.insert(HEAD, head(steps));
    }
    items
}

/// The transaction of a step.
#[must_use]
pub fn writes(step: u64) -> Vec<TransactWriteItem> {
    let mut writes: Vec<TransactWriteItem> = Vec::new();
    for key in block(step) {
        writes.push(match item(step, key) {
            Some(item) => TransactPut::new(LEDGER, item).into(),
            None => TransactDelete::new(LEDGER, Item::new().with("pk", key)).into(),
        });
    }
    writes.push(TransactPut::new(LEDGER, head(step)).into());
    writes
}

fn block(step: u64) -> impl Iterator<Item = u64> {
    let first = step % BLOCKS * BLOCK;
    first..first + BLOCK
}

/// What a step makes of an item; some it deletes.
fn item(step: u64, key: u64) -> Option<Item> {
    let mixed = (step ^ key << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    if mixed >> 60 < 3 {
        return None;
    }
    let item = Item::new()
        .with("pk", key)
        .with("step", step)
        .with("text", format!("{mixed:016x}"));
    // A part of them is not in the index.
    Some(match mixed & 3 {
        0 => item,
        group => item.with("state", format!("S{group}")),
    })
}

fn head(step: u64) -> Item {
    Item::new().with("pk", HEAD).with("step", step)
}

/// The key of the item with the number of the state.
#[must_use]
pub fn head_key() -> Item {
    Item::new().with("pk", HEAD)
}

/// The request that makes the ledger.
#[must_use]
pub fn creation() -> CreateTableInput {
    CreateTableInput::new(LEDGER, "pk", ScalarAttributeType::N)
        .attribute("state", ScalarAttributeType::S)
        .global_index(GlobalSecondaryIndex::new("by-state", "state"))
}

/// The request that makes a table of an export.
#[must_use]
pub fn import(manifest: &str, target: &str) -> ImportTableInput {
    let folder = manifest.replace("manifest-summary.json", "data/");
    ImportTableInput {
        client_token: None,
        s3_bucket_source: Some(S3BucketSource {
            s3_bucket: Some(BUCKET.into()),
            s3_key_prefix: Some(folder),
            s3_bucket_owner: None,
        }),
        input_format: Some(InputFormat::DynamodbJson.into()),
        input_format_options: None,
        input_compression_type: Some(InputCompressionType::Gzip.into()),
        table_creation_parameters: Some(TableCreationParameters {
            table_name: Some(target.into()),
            attribute_definitions: Some(vec![
                AttributeDefinition::new("pk", ScalarAttributeType::N),
                AttributeDefinition::new("state", ScalarAttributeType::S),
            ]),
            key_schema: Some(vec![KeySchemaElement::new("pk", KeyRole::Hash)]),
            billing_mode: Some(BillingMode::PayPerRequest.into()),
            global_secondary_indexes: Some(vec![GlobalSecondaryIndex::new("by-state", "state")]),
            ..TableCreationParameters::default()
        }),
    }
}

/// What a copy of the ledger was made by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A restored backup.
    Backup,
    /// A restore to a point in time.
    PointInTime,
    /// An export that was imported.
    Import,
}

impl Way {
    const ALL: [Self; 3] = [Self::Backup, Self::PointInTime, Self::Import];

    const fn word(self) -> &'static str {
        match self {
            Self::Backup => "backup",
            Self::PointInTime => "time",
            Self::Import => "import",
        }
    }

    /// A name for a copy that must hold this state.
    #[must_use]
    pub fn table_name(self, steps: u64) -> String {
        format!("{}-{steps}-{:08x}", self.word(), fastrand::u32(..))
    }

    /// How a table was made, and the state that it must hold; none of a table that is no copy.
    #[must_use]
    pub fn of_table(name: &str) -> Option<(Self, u64)> {
        let mut parts = name.split('-');
        let word = parts.next()?;
        let way = Self::ALL.into_iter().find(|way| way.word() == word)?;
        Some((way, parts.next()?.parse().ok()?))
    }
}

/// The name of a backup, or the prefix of an export, that must hold this state.
#[must_use]
pub fn label(steps: u64) -> String {
    format!("state-{steps}")
}

/// The state that a backup or export with this name must hold.
#[must_use]
pub fn of_label(name: &str) -> Option<u64> {
    let number = name.strip_prefix("state-")?;
    number.split('/').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_what_its_steps_make() {
        let mut items = BTreeMap::new();
        for step in 1..=130 {
            for key in block(step) {
                items.remove(&key);
                items.extend(item(step, key).map(|item| (key, item)));
            }
            items.insert(HEAD, head(step));
            assert_eq!(state(step), items, "{step}");
        }
        assert!(state(0).is_empty());
        assert!(items.len() > 900 && items.len() < 1200, "{}", items.len());
    }

    #[test]
    fn names_tell_their_state() {
        for way in Way::ALL {
            assert_eq!(Way::of_table(&way.table_name(17)), Some((way, 17)));
        }
        assert_eq!(Way::of_table(LEDGER), None);
        assert_eq!(of_label(&label(17)), Some(17));
        assert_eq!(of_label("state-17/AWSDynamoDB/x"), Some(17));
    }
}
