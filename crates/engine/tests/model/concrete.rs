//! Operations with real keys and names: what both the model and the engine are asked.

use crate::condition::Test;
use crate::database::Database;
use crate::operation::{
    KeyPick, Operation, QueryPick, ReadPick, Returned, SelectPick, SortPick, Spoiled, TableChange,
    Write,
};
use crate::path::Path;
use crate::schema::{IndexSchema, Schema, TABLES, schema};
use crate::update::Action;
use crate::value::{Kind, key_value};
use monotable_item::{AttributeValue, Item};

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Concrete {
    CreateTable(&'static str, Schema),
    DeleteTable(&'static str),
    UpdateTable(&'static str, TableChange),
    DescribeTable(&'static str),
    ListTables(Option<&'static str>, Option<u8>),
    Get(Key, Option<Vec<Path>>, bool),
    Write(ItemWrite, Returned, bool),
    Query(Read, Partition),
    Scan(Read, Option<u8>),
    BatchGet(Vec<Key>, Option<Vec<Path>>),
    BatchWrite(Vec<ItemWrite>),
    TransactGet(Vec<(Key, Option<Vec<Path>>)>),
    TransactWrite(Transaction),
    PassTime(u16),
    Reopen,
}

#[derive(Clone, Debug)]
pub struct Key {
    pub table: &'static str,
    pub key: Item,
}

#[derive(Clone, Debug)]
pub struct ItemWrite {
    pub table: &'static str,
    /// The key, or for a put the whole item.
    pub subject: Item,
    pub change: Change,
    pub condition: Option<Test>,
}

#[derive(Clone, Debug)]
pub enum Change {
    Put,
    Update(Vec<Action>),
    Delete,
    Check,
}

#[derive(Clone, Debug)]
pub struct Transaction {
    /// Each with whether a failed condition returns the item.
    pub actions: Vec<(ItemWrite, bool)>,
    pub token: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Read {
    pub table: &'static str,
    pub index: Option<IndexSchema>,
    pub limit: Option<u8>,
    pub filter: Option<Test>,
    pub select: SelectPick,
    pub consistent: bool,
}

/// What a key condition names.
#[derive(Clone, Debug)]
pub struct Partition {
    pub hash: (&'static str, AttributeValue),
    pub sort: Option<(&'static str, Sort)>,
    pub backward: bool,
    pub start: Option<Item>,
    /// A table without sort key has one item at most, after which no query goes on.
    pub finds_one_item: bool,
}

#[derive(Clone, Debug)]
pub enum Sort {
    Equal(AttributeValue),
    Order(&'static str, AttributeValue),
    Between(AttributeValue, AttributeValue),
    BeginsWith(AttributeValue),
}

/// Gives an operation its meaning in the present state; none when there is nothing to resend.
pub fn resolve(operation: &Operation, database: &Database) -> Option<Concrete> {
    let name = |table: u8| TABLES[usize::from(table)];
    Some(match operation {
        Operation::CreateTable {
            table,
            schema: number,
        } => Concrete::CreateTable(name(*table), schema(*number)),
        Operation::DeleteTable { table } => Concrete::DeleteTable(name(*table)),
        Operation::UpdateTable { table, change } => {
            // Global indexes would need units of their own.
            let change = match change {
                TableChange::Provision(_) if database.schema(name(*table)).has_global() => {
                    TableChange::PayByUse
                }
                change => *change,
            };
            Concrete::UpdateTable(name(*table), change)
        }
        Operation::DescribeTable { table } => Concrete::DescribeTable(name(*table)),
        Operation::ListTables { after, limit } => Concrete::ListTables(after.map(name), *limit),
        Operation::Get {
            key: pick,
            projection,
            consistent,
        } => Concrete::Get(key(*pick, database), projection.clone(), *consistent),
        Operation::Write {
            write,
            returned,
            old_on_failure,
        } => {
            let mut write = item_write(write, database);
            // There is no single check: a conditional delete is the nearest.
            if matches!(write.change, Change::Check) {
                write.change = Change::Delete;
            }
            // Only updates return the other kinds: one of them is enough to be refused now and then.
            let returned = match (returned, &write.change) {
                (Returned::UpdatedOld, Change::Put | Change::Delete) => Returned::AllOld,
                (Returned::UpdatedNew, Change::Put | Change::Delete) => Returned::None,
                (returned, _) => *returned,
            };
            Concrete::Write(write, returned, *old_on_failure)
        }
        Operation::Query(pick) => query(pick, database),
        Operation::Scan {
            read: pick,
            segments,
        } => Concrete::Scan(read(pick, database), *segments),
        Operation::BatchGet { keys, projection } => Concrete::BatchGet(
            keys.iter().map(|pick| key(*pick, database)).collect(),
            projection.clone(),
        ),
        Operation::BatchWrite { writes } => Concrete::BatchWrite(
            writes
                .iter()
                .map(|write| item_write(write, database))
                .collect(),
        ),
        Operation::TransactGet { gets } => {
            let gets = gets.iter();
            let gets = gets.map(|(pick, projection)| (key(*pick, database), projection.clone()));
            Concrete::TransactGet(gets.collect())
        }
        Operation::TransactWrite { actions, token } => {
            let actions = actions.iter();
            Concrete::TransactWrite(Transaction {
                actions: actions
                    .map(|(write, old)| (item_write(write, database), *old))
                    .collect(),
                token: token.map(|token| format!("token-{token}")),
            })
        }
        Operation::Resend { token } => {
            Concrete::TransactWrite(database.last_sent(&format!("token-{token}"))?)
        }
        Operation::PassTime { seconds } => Concrete::PassTime(*seconds),
        Operation::Reopen => Concrete::Reopen,
    })
}

fn key(pick: KeyPick, database: &Database) -> Key {
    let table = TABLES[usize::from(pick.table)];
    let schema = database.schema(table);
    let mut key = Item::new().with(schema.hash.0, key_value(schema.hash.1, pick.hash));
    if let Some((range, kind)) = schema.range {
        key.insert(range, key_value(kind, pick.sort));
    }
    let (name, kind) = schema
        .range
        .filter(|_| pick.sort > 2)
        .unwrap_or(schema.hash);
    match (pick.spoiled, kind) {
        (None, _) | (Some(Spoiled::Empty), Kind::N) => {}
        (Some(Spoiled::Missing), _) => {
            key.remove(name);
        }
        (Some(Spoiled::WrongType), Kind::S) => {
            key.insert(name, 1);
        }
        (Some(Spoiled::WrongType), Kind::N | Kind::B) | (Some(Spoiled::Empty), Kind::S) => {
            key.insert(name, "");
        }
        (Some(Spoiled::Empty), Kind::B) => {
            key.insert(name, AttributeValue::B(Vec::new()));
        }
        (Some(Spoiled::Extra), _) => {
            key.insert("extra", 1);
        }
    }
    Key { table, key }
}

fn item_write(write: &Write, database: &Database) -> ItemWrite {
    let (pick, change, condition) = match write {
        Write::Put { key, condition, .. } => (key, Change::Put, condition.clone()),
        Write::Update {
            key,
            actions,
            condition,
        } => (key, Change::Update(actions.clone()), condition.clone()),
        Write::Delete { key, condition } => (key, Change::Delete, condition.clone()),
        Write::Check { key, condition } => (key, Change::Check, Some(condition.clone())),
    };
    let Key { table, mut key } = key(*pick, database);
    if let Write::Put { attributes, .. } = write {
        for (name, value) in attributes {
            key.insert(*name, value.clone());
        }
    }
    ItemWrite {
        table,
        subject: key,
        change,
        condition,
    }
}

fn read(pick: &ReadPick, database: &Database) -> Read {
    let table = TABLES[usize::from(pick.table)];
    let mut indexes = database.schema(table).indexes;
    let relation = usize::from(pick.relation) % (indexes.len() + 1);
    Read {
        table,
        index: (relation > 0).then(|| indexes.swap_remove(relation - 1)),
        limit: pick.limit,
        filter: pick.filter.clone(),
        select: pick.select.clone(),
        consistent: pick.consistent,
    }
}

fn query(pick: &QueryPick, database: &Database) -> Concrete {
    let read = read(&pick.read, database);
    let schema = database.schema(read.table);
    let (hash, range) = match &read.index {
        Some(index) => (index.hash, index.range),
        None => (schema.hash, schema.range),
    };
    let start = pick.start.filter(|_| read.index.is_none());
    let start = start.map(|(hash, sort)| {
        let pick = KeyPick {
            table: pick.read.table,
            hash,
            sort,
            spoiled: None,
        };
        key(pick, database).key
    });
    let partition = Partition {
        hash: (hash.0, key_value(hash.1, pick.hash)),
        sort: range.and_then(|(name, kind)| Some((name, sort(pick.sort, kind)?))),
        backward: pick.backward,
        start,
        finds_one_item: read.index.is_none() && schema.range.is_none(),
    };
    Concrete::Query(read, partition)
}

fn sort(pick: SortPick, kind: Kind) -> Option<Sort> {
    Some(match pick {
        SortPick::Any => return None,
        SortPick::Equal(pick) => Sort::Equal(key_value(kind, pick)),
        SortPick::Order(operator, pick) => Sort::Order(operator, key_value(kind, pick)),
        SortPick::Between(low, high) => Sort::Between(key_value(kind, low), key_value(kind, high)),
        SortPick::BeginsWith(pick, length) => {
            let length = usize::from(length);
            Sort::BeginsWith(match key_value(kind, pick) {
                AttributeValue::S(text) => AttributeValue::S(text.chars().take(length).collect()),
                AttributeValue::B(bytes) => {
                    AttributeValue::B(bytes.into_iter().take(length).collect())
                }
                other => other,
            })
        }
    })
}
