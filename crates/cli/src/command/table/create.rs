//! `monotable table create`: a new table with its indexes.

mod definition;

use crate::exit::{Failure, done};
use crate::target::{OpenTarget, TargetArguments};
use clap::Args;
use definition::{IndexDefinition, KeyDefinition};
use monotable_api::{
    CreateTableInput, DescribeTableInput, Dynamo, DynamoExt, GlobalSecondaryIndex,
    LocalSecondaryIndex, TableStatus,
};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  $ monotable table create Music Artist Song --index ByRelease=Released:N
  $ monotable table create Events Stream:S At:N --index ByKind=Kind,At:N --local-index BySize=Size:N";

/// How often a table that is being created is looked at.
const POLL: Duration = Duration::from_secs(1);

/// Create a table, paid by use, and wait until it can be used
///
/// Makes the embedded store if there is none.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Create {
    /// The table
    table: String,

    /// The partition key: NAME, or NAME:TYPE with a type of S (string, the default), N (number) or B (binary)
    #[arg(value_name = "PARTITION-KEY[:TYPE]")]
    partition_key: KeyDefinition,

    /// The sort key
    #[arg(value_name = "SORT-KEY[:TYPE]")]
    sort_key: Option<KeyDefinition>,

    /// A global secondary index of all attributes; may be given several times
    #[arg(long, value_name = "NAME=KEY[:TYPE][,SORT-KEY[:TYPE]]")]
    index: Vec<IndexDefinition>,

    /// A local secondary index of all attributes: the table's partition key with this sort key
    #[arg(long, value_name = "NAME=SORT-KEY[:TYPE]")]
    local_index: Vec<IndexDefinition>,

    #[command(flatten)]
    target: TargetArguments,
}

impl Create {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let request = self.request()?;
        let target = self.target.resolve()?;
        let OpenTarget { dynamo, place, .. } = target.open_or_create().await?;
        dynamo.create_table(request).await?;
        until_active(&*dynamo, &self.table).await?;
        done(format_args!("created {} {}", self.table, place.locate()));
        Ok(())
    }

    fn request(&self) -> Result<CreateTableInput, Failure> {
        let hash = &self.partition_key;
        let mut request = CreateTableInput::new(&self.table, &hash.name, hash.kind);
        if let Some(range) = &self.sort_key {
            request = request.range(&range.name, range.kind);
        }
        for index in &self.index {
            request = request.global_index(global(index)?);
        }
        for index in &self.local_index {
            request = request.local_index(local(index, hash)?);
        }
        for attribute in self.other_attributes()? {
            request = request.attribute(&attribute.name, attribute.kind);
        }
        Ok(request)
    }

    /// The key attributes of indexes that are no keys of the table, each once.
    fn other_attributes(&self) -> Result<Vec<&KeyDefinition>, Failure> {
        let mut known: Vec<&KeyDefinition> = vec![&self.partition_key];
        known.extend(&self.sort_key);
        let of_table = known.len();
        let indexes = self.index.iter().chain(&self.local_index);
        for attribute in indexes.flat_map(|index| &index.key) {
            match known.iter().find(|other| other.name == attribute.name) {
                None => known.push(attribute),
                Some(other) if other.kind == attribute.kind => {}
                Some(other) => {
                    return Err(Failure::usage(format_args!(
                        "{} is given the types {} and {}",
                        attribute.name, other.kind, attribute.kind
                    )));
                }
            }
        }
        Ok(known.split_off(of_table))
    }
}

fn global(index: &IndexDefinition) -> Result<GlobalSecondaryIndex, Failure> {
    match index.key.as_slice() {
        [hash] => Ok(GlobalSecondaryIndex::new(&index.name, &hash.name)),
        [hash, range] => Ok(GlobalSecondaryIndex::new(&index.name, &hash.name).range(&range.name)),
        _ => Err(Failure::usage(format_args!(
            "--index {}: an index has a partition key and at most one sort key",
            index.name
        ))),
    }
}

fn local(index: &IndexDefinition, hash: &KeyDefinition) -> Result<LocalSecondaryIndex, Failure> {
    match index.key.as_slice() {
        [range] => Ok(LocalSecondaryIndex::new(
            &index.name,
            &hash.name,
            &range.name,
        )),
        _ => Err(Failure::usage(format_args!(
            "--local-index {}: only a sort key is given; the partition key is the table's",
            index.name
        ))),
    }
}

/// Amazon's tables take a while to come into being.
async fn until_active(dynamo: &dyn Dynamo, table: &str) -> Result<(), Failure> {
    loop {
        let answer = dynamo
            .describe_table(DescribeTableInput::new(table))
            .await?;
        match answer.table.and_then(|table| table.table_status) {
            Some(TableStatus::Creating) => tokio::time::sleep(POLL).await,
            _ => return Ok(()),
        }
    }
}
