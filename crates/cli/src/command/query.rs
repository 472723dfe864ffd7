//! `monotable query`: the items of one partition, or the rows of an access pattern.

mod sort_condition;

use crate::exit::Failure;
use crate::pages::{PagedRequest, Pages};
use crate::reading::{ReadingArguments, note_rest};
use crate::rows::{Call, CallerArguments, CursorArguments, InputValues, Paging, RowCommand, Verb};
use crate::table_keys::{Key, TableKeys, typed};
use crate::target::TargetArguments;
use clap::{Args, ValueHint};
use monotable_api::QueryInput;
use sort_condition::SortCondition;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable query Music 'Nina Simone'
  $ monotable query Music 'Nina Simone' 'Feel*' --reverse --limit 10
  $ monotable query Music --index ByRelease 1965
  $ monotable query Music --where 'Artist = :a AND Song < :s' --values '{\":a\": \"Nina Simone\", \":s\": \"M\"}'
  $ monotable query -m model.toml persons_of_tree TreeId=byron --limit 10
  $ monotable query -m model.toml children_of_person UserId=ada ParentId=george --output json

SORT-KEY is a value, or one of
  'Feel*'     begins with Feel        'A..M'          from A to M, both included
  '<M' '<=M'  less than M             '>M' '>=M'      greater than M
  '=A..M'     exactly the text A..M

With -m, a range is NAME.from=VALUE and NAME.to=VALUE, or one of them. The rows of the pattern are printed, and
apart from them those that it follows to: --output json is {\"rows\", \"followed\", \"dangling\", \"cursor\"},
a line of jsonl is a row, {\"@followed\": row} or {\"@dangling\": key}. Where a pattern has rows of several entities
each says its own as \"@entity\". Cursors are sealed with a secret of the store, and serve any later command.";

const USAGE: &str = "\
monotable query [OPTIONS] <TABLE> <PARTITION_KEY> [SORT_KEY]
       monotable query [OPTIONS] <TABLE> --where <EXPR>
       monotable query [OPTIONS] -m <FILE> <PATTERN> [NAME=VALUE]...";

/// Show the items of one partition, in order of their sort key, or with -m the rows of an access pattern
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct Query {
    /// The table; with -m the access pattern
    table: String,

    /// Value of the partition key of the table, or of the index; with -m the parameters, NAME=VALUE each
    #[arg(
        required_unless_present_any = ["where", "model"],
        conflicts_with = "where",
        allow_hyphen_values = true
    )]
    partition_key: Option<String>,

    /// What the sort key must be; see below
    #[arg(allow_hyphen_values = true)]
    sort_key: Option<String>,

    #[arg(value_name = "NAME=VALUE", requires = "model", hide = true)]
    more: Vec<String>,

    /// The key condition as an expression, with --values
    #[arg(
        long = "where",
        id = "where",
        value_name = "EXPR",
        conflicts_with = "model"
    )]
    condition: Option<String>,

    /// In descending order
    #[arg(long, visible_alias = "descending")]
    reverse: bool,

    /// The rows of an access pattern of this model; - is stdin
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    model: Option<PathBuf>,

    #[command(flatten)]
    reading: ReadingArguments,

    #[command(flatten)]
    cursor: CursorArguments,

    #[command(flatten)]
    caller: CallerArguments,

    #[command(flatten)]
    target: TargetArguments,
}

impl Query {
    pub(crate) async fn run(mut self) -> Result<(), Failure> {
        match self.model.take() {
            Some(model) => self.rows(model).await,
            None => self.items().await,
        }
    }

    async fn rows(self, model: PathBuf) -> Result<(), Failure> {
        self.reading.refuse_for_model()?;
        let notation = self.reading.notation();
        let words = self.partition_key.into_iter().chain(self.sort_key);
        let given = InputValues::words(words.chain(self.more).collect(), notation)?;
        let mut asked = RowCommand::new(Verb::Query, self.table, given);
        asked.is_consistent = self.reading.consistent;
        asked.paging = Paging {
            limit: self.reading.limit.map(|limit| limit as usize),
            cursor: self.cursor.cursor,
            is_descending: self.reverse,
            is_all: self.cursor.all,
        };
        let call = Call {
            model,
            caller: self.caller,
            notation,
            output: self.reading.output,
            target: self.target,
        };
        call.run(asked).await
    }

    async fn items(self) -> Result<(), Failure> {
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
