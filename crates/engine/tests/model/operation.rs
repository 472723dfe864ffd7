//! Operations as they are drawn: keys and tables are numbers, which get a meaning when they are run.

use crate::condition::{Test, test};
use crate::path::{Path, projection};
use crate::update::{Action, actions};
use crate::value::attribute;
use monotable_item::AttributeValue;
use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;

#[derive(Clone, Debug)]
pub enum Operation {
    CreateTable {
        table: u8,
        schema: u8,
    },
    DeleteTable {
        table: u8,
    },
    UpdateTable {
        table: u8,
        change: TableChange,
    },
    DescribeTable {
        table: u8,
    },
    ListTables {
        after: Option<u8>,
        limit: Option<u8>,
    },
    Get {
        key: KeyPick,
        projection: Option<Vec<Path>>,
        consistent: bool,
    },
    Write {
        write: Write,
        returned: Returned,
        old_on_failure: bool,
    },
    Query(QueryPick),
    Scan {
        read: ReadPick,
        segments: Option<u8>,
    },
    BatchGet {
        keys: Vec<KeyPick>,
        projection: Option<Vec<Path>>,
    },
    BatchWrite {
        writes: Vec<Write>,
    },
    TransactGet {
        gets: Vec<(KeyPick, Option<Vec<Path>>)>,
    },
    TransactWrite {
        actions: Vec<(Write, bool)>,
        token: Option<u8>,
    },
    /// The request that last used this token once more.
    Resend {
        token: u8,
    },
    PassTime {
        seconds: u16,
    },
    /// Closes the disk engine and opens it again.
    Reopen,
}

#[derive(Clone, Copy, Debug)]
pub enum TableChange {
    Protect(bool),
    PayByUse,
    Provision(u8),
}

/// Which attributes a single write returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned {
    None,
    AllOld,
    AllNew,
    UpdatedOld,
    UpdatedNew,
}

#[derive(Clone, Debug)]
pub enum Write {
    Put {
        key: KeyPick,
        attributes: Vec<(&'static str, AttributeValue)>,
        condition: Option<Test>,
    },
    Update {
        key: KeyPick,
        actions: Vec<Action>,
        condition: Option<Test>,
    },
    Delete {
        key: KeyPick,
        condition: Option<Test>,
    },
    Check {
        key: KeyPick,
        condition: Test,
    },
}

#[derive(Clone, Copy, Debug)]
pub struct KeyPick {
    pub table: u8,
    pub hash: u8,
    pub sort: u8,
    pub spoiled: Option<Spoiled>,
}

/// What is wrong with a key.
#[derive(Clone, Copy, Debug)]
pub enum Spoiled {
    Missing,
    WrongType,
    Empty,
    /// One attribute too many: harmless in an item.
    Extra,
}

/// What Query and Scan have in common.
#[derive(Clone, Debug)]
pub struct ReadPick {
    pub table: u8,
    /// 0 is the table, others are its indexes.
    pub relation: u8,
    pub limit: Option<u8>,
    pub filter: Option<Test>,
    pub select: SelectPick,
    pub consistent: bool,
}

#[derive(Clone, Debug)]
pub enum SelectPick {
    Default,
    Count,
    All,
    Projected,
    Specific(Vec<Path>),
}

#[derive(Clone, Debug)]
pub struct QueryPick {
    pub read: ReadPick,
    pub hash: u8,
    pub sort: SortPick,
    pub backward: bool,
    /// The hash and sort key to start after; only on tables, where the order is AWS's own.
    pub start: Option<(u8, u8)>,
}

#[derive(Clone, Copy, Debug)]
pub enum SortPick {
    Any,
    Equal(u8),
    Order(&'static str, u8),
    Between(u8, u8),
    /// The first so many bytes of a key.
    BeginsWith(u8, u8),
}

/// Mostly the first table, so that it has some items.
fn table() -> impl Strategy<Value = u8> {
    prop_oneof![3 => Just(0u8), 1 => 1u8..3]
}

fn key() -> impl Strategy<Value = KeyPick> {
    use Spoiled::{Empty, Extra, Missing, WrongType};
    let spoiled = proptest::sample::select(vec![Missing, WrongType, Empty, Extra]);
    (table(), 0u8..2, 0u8..6, weighted(0.03, spoiled)).prop_map(|(table, hash, sort, spoiled)| {
        KeyPick {
            table,
            hash,
            sort,
            spoiled,
        }
    })
}

fn attributes() -> impl Strategy<Value = Vec<(&'static str, AttributeValue)>> {
    vec(attribute(), 0..6)
}

fn write() -> impl Strategy<Value = Write> {
    let condition = || weighted(0.4, test());
    prop_oneof![
        5 => (key(), attributes(), condition())
            .prop_map(|(key, attributes, condition)| Write::Put { key, attributes, condition }),
        4 => (key(), actions(), condition())
            .prop_map(|(key, actions, condition)| Write::Update { key, actions, condition }),
        2 => (key(), condition()).prop_map(|(key, condition)| Write::Delete { key, condition }),
        1 => (key(), test()).prop_map(|(key, condition)| Write::Check { key, condition }),
    ]
}

fn batch_write() -> impl Strategy<Value = Write> {
    prop_oneof![
        3 => (key(), attributes())
            .prop_map(|(key, attributes)| Write::Put { key, attributes, condition: None }),
        1 => key().prop_map(|key| Write::Delete { key, condition: None }),
    ]
}

fn read() -> impl Strategy<Value = ReadPick> {
    let select = prop_oneof![
        4 => Just(SelectPick::Default),
        1 => Just(SelectPick::Count),
        2 => Just(SelectPick::All),
        1 => Just(SelectPick::Projected),
        2 => projection().prop_map(SelectPick::Specific),
    ];
    let consistent = weighted(0.2, Just(())).prop_map(|given| given.is_some());
    (
        table(),
        0u8..4,
        of(1u8..5),
        weighted(0.3, test()),
        select,
        consistent,
    )
        .prop_map(
            |(table, relation, limit, filter, select, consistent)| ReadPick {
                table,
                relation,
                limit,
                filter,
                select,
                consistent,
            },
        )
}

fn query() -> impl Strategy<Value = QueryPick> {
    let operator = proptest::sample::select(vec!["<", "<=", ">", ">="]);
    let sort = prop_oneof![
        3 => Just(SortPick::Any),
        1 => (0u8..6).prop_map(SortPick::Equal),
        3 => (operator, 0u8..6).prop_map(|(operator, pick)| SortPick::Order(operator, pick)),
        1 => (0u8..6, 0u8..6).prop_map(|(low, high)| SortPick::Between(low, high)),
        1 => (0u8..6, 1u8..3).prop_map(|(pick, length)| SortPick::BeginsWith(pick, length)),
    ];
    let start = weighted(0.2, (0u8..2, 0u8..6));
    (read(), 0u8..2, sort, any::<bool>(), start).prop_map(|(read, hash, sort, backward, start)| {
        QueryPick {
            read,
            hash,
            sort,
            backward,
            start,
        }
    })
}

fn returned() -> impl Strategy<Value = Returned> {
    use Returned::{AllNew, AllOld, None, UpdatedNew, UpdatedOld};
    proptest::sample::select(vec![None, AllOld, AllNew, UpdatedOld, UpdatedNew])
}

fn table_operation() -> impl Strategy<Value = Operation> {
    let change = prop_oneof![
        any::<bool>().prop_map(TableChange::Protect),
        Just(TableChange::PayByUse),
        (1u8..3).prop_map(TableChange::Provision),
    ];
    prop_oneof![
        3 => (0u8..3, 0u8..6).prop_map(|(table, schema)| Operation::CreateTable { table, schema }),
        1 => (0u8..3).prop_map(|table| Operation::DeleteTable { table }),
        1 => (0u8..3, change).prop_map(|(table, change)| Operation::UpdateTable { table, change }),
        1 => (0u8..3).prop_map(|table| Operation::DescribeTable { table }),
        1 => (of(0u8..3), of(1u8..4)).prop_map(|(after, limit)| Operation::ListTables { after, limit }),
    ]
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        2 => table_operation(),
        2 => (key(), of(projection()), any::<bool>()).prop_map(|(key, projection, consistent)| {
            Operation::Get { key, projection, consistent }
        }),
        12 => (write(), returned(), any::<bool>()).prop_map(|(write, returned, old_on_failure)| {
            Operation::Write { write, returned, old_on_failure }
        }),
        6 => query().prop_map(Operation::Query),
        3 => (read(), of(1u8..5)).prop_map(|(read, segments)| Operation::Scan { read, segments }),
        1 => (vec(key(), 1..5), of(projection()))
            .prop_map(|(keys, projection)| Operation::BatchGet { keys, projection }),
        3 => vec(batch_write(), 1..6).prop_map(|writes| Operation::BatchWrite { writes }),
        1 => vec((key(), of(projection())), 1..4).prop_map(|gets| Operation::TransactGet { gets }),
        4 => (vec((write(), any::<bool>()), 1..4), weighted(0.3, 0u8..3))
            .prop_map(|(actions, token)| Operation::TransactWrite { actions, token }),
        1 => (0u8..3).prop_map(|token| Operation::Resend { token }),
        1 => (0u16..700).prop_map(|seconds| Operation::PassTime { seconds }),
        1 => Just(Operation::Reopen),
    ]
}

/// A good item, to start with.
fn filling() -> impl Strategy<Value = Operation> {
    let put = (table(), 0u8..2, 0u8..6, attributes());
    put.prop_map(|(table, hash, sort, attributes)| Operation::Write {
        write: Write::Put {
            key: KeyPick {
                table,
                hash,
                sort,
                spoiled: None,
            },
            attributes,
            condition: None,
        },
        returned: Returned::None,
        old_on_failure: false,
    })
}

/// A sequence that starts with some tables and some items.
pub fn sequence() -> impl Strategy<Value = Vec<Operation>> {
    let schemas = proptest::array::uniform3(0u8..6);
    let operations = (vec(filling(), 0..40), vec(operation(), 1..80));
    (schemas, operations).prop_map(|(schemas, (filling, operations))| {
        let tables = schemas.into_iter().enumerate();
        let tables = tables.map(|(table, schema)| Operation::CreateTable {
            table: table as u8,
            schema,
        });
        tables.chain(filling).chain(operations).collect()
    })
}
