//! `monotable table query`: the items of one partition.

mod sort_condition;

use crate::exit::Failure;
use crate::pages::{PagedRequest, Pages};
use crate::reading::{ReadingArguments, note_rest};
use crate::table_keys::{Key, TableKeys, typed};
use crate::target::TargetArguments;
use clap::Args;
use monotable_api::QueryInput;
use sort_condition::SortCondition;

const EXAMPLES: &str = "\
Examples:
  $ monotable table query Music 'Nina Simone'
  $ monotable table query Music 'Nina Simone' 'Feel*' --reverse --limit 10
  $ monotable table query Music --index ByRelease 1965
  $ monotable table query Music --where 'Artist = :a AND Song < :s' --values '{\":a\": \"Nina Simone\", \":s\": \"M\"}'

SORT-KEY is a value, or one of
  'Feel*'     begins with Feel        'A..M'          from A to M, both included
  '<M' '<=M'  less than M             '>M' '>=M'      greater than M
  '=A..M'     exactly the text A..M";

/// Show the items of one partition of a table or index, in order of their sort key
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Query {
    /// The table
    table: String,

    /// Value of the partition key of the table, or of the index
    #[arg(
        required_unless_present = "where",
        conflicts_with = "where",
        allow_hyphen_values = true
    )]
    partition_key: Option<String>,

    /// What the sort key must be; see below
    #[arg(allow_hyphen_values = true)]
    sort_key: Option<String>,

    /// The key condition as an expression, with --values
    #[arg(long = "where", id = "where", value_name = "EXPR")]
    condition: Option<String>,

    /// In descending order
    #[arg(long, visible_alias = "descending")]
    reverse: bool,

    #[command(flatten)]
    reading: ReadingArguments,

    #[command(flatten)]
    target: TargetArguments,
}

impl Query {
    pub(super) async fn run(self) -> Result<(), Failure> {
        self.refuse_option_as_key()?;
        let mut query = QueryInput::new(&self.table, self.condition.clone().unwrap_or_default());
        query.index_name.clone_from(&self.reading.index);
        query.filter_expression.clone_from(&self.reading.filter);
        query
            .projection_expression
            .clone_from(&self.reading.projection);
        query.expression_attribute_values = self.reading.values()?;
        query.expression_attribute_names = self.reading.names()?;
        query.consistent_read = self.reading.consistent.then_some(true);
        query.scan_index_forward = self.reverse.then_some(false);

        let dynamo = self.target.open().await?;
        let keys = TableKeys::describe(&*dynamo, &self.table).await?;
        let index = self.reading.index.as_deref();
        let page_key = keys.page_key(index)?;
        query.exclusive_start_key = self.reading.start(&page_key)?.map(Into::into);
        if let Some(partition) = &self.partition_key {
            let key = keys.of_index(index)?;
            query = with_key(query, key, partition, self.sort_key.as_deref())?;
        }

        let mut printer = self.reading.printer(&page_key);
        let mut pages = Pages::new(
            dynamo,
            PagedRequest::Query(query),
            page_key,
            self.reading.limit,
        );
        while let Some(items) = pages.next().await? {
            printer.page(&items)?;
        }
        printer.finish()?;
        note_rest(&pages.rest(), self.reading.notation())
    }
}

impl Query {
    /// A key may begin with a hyphen, as negative numbers do, so an option that the command does not have would be
    /// taken for one.
    fn refuse_option_as_key(&self) -> Result<(), Failure> {
        let mut keys = self.partition_key.iter().chain(&self.sort_key);
        match keys.find(|key| key.starts_with("--")) {
            None => Ok(()),
            Some(option) => Err(Failure::usage(format_args!(
                "{option} is no option of this command"
            ))
            .help(format_args!(
                "a sort key that begins so is written '={option}'; a partition key with --where and --values"
            ))),
        }
    }
}

/// The query with the condition that the key values make.
fn with_key(
    query: QueryInput,
    key: &Key,
    partition: &str,
    sort: Option<&str>,
) -> Result<QueryInput, Failure> {
    let Some(hash) = key.first() else {
        return Err(Failure::other(
            "the table has a key that this version cannot read",
        ));
    };
    let mut condition = "#partition_key = :partition_key".to_owned();
    let mut query = query
        .name("#partition_key", &hash.name)
        .value(":partition_key", typed(hash, partition)?);
    if let Some(text) = sort {
        let Some(range) = key.get(1) else {
            return Err(Failure::usage(format_args!(
                "there is no sort key beside {}",
                hash.name
            )));
        };
        let sort = SortCondition::parse(range, text)?;
        condition.push_str(" AND ");
        condition.push_str(sort.expression());
        query = query.name("#sort_key", &range.name);
        for (placeholder, value) in sort.into_values() {
            query = query.value(placeholder, value);
        }
    }
    query.key_condition_expression = Some(condition);
    Ok(query)
}
