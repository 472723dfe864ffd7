//! The child that looks at what is there, and sends again what the parent says.

use super::indexes::{self, scan};
use super::{Parent, copies, faded, index_changes, open, streams};
use crate::fading::{FADING, TOLD};
use crate::ledger::{LEDGER, MOMENTS, Way};
use crate::place::Place;
use crate::record::{Kept, Record, read_frame};
use crate::write::token;
use monotable_api::{DescribeTableInput, Error, GetItemInput, ListTablesInput, ScanInput};
use monotable_engine::{Durability, Engine};
use monotable_item::{EncodedItem, Item};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Added to the writer of a stamp to make another request with the same token.
const OTHER_WRITER: u32 = 1 << 31;

/// Does what the parent orders, until it closes the pipe.
///
/// # Errors
///
/// When the store does not open, or the parent is gone.
pub fn check(directory: &Path, durability: Durability, threads: u8) -> io::Result<()> {
    let mut parent = Parent::of_this_process()?;
    let engine = open(&mut parent, directory, durability)?;
    let mut orders = io::stdin().lock();
    let mut looks = 0;
    let unfinished = copies::count_unfinished(&engine).unwrap_or_default();
    while let Some(order) = read_frame(&mut orders)? {
        match order.record {
            Record::Observe => {
                looks += 1;
                if let Err(error) = observe(&engine, &mut parent, (threads, looks), unfinished)? {
                    parent.tell(&Record::Problem(format!("a read failed: {error}")))?;
                    parent.tell(&Record::Observed {
                        items: 0,
                        entries: 0,
                        kept: Kept::default(),
                    })?;
                }
            }
            Record::Resend {
                stamp,
                write,
                altered,
            } => {
                let mut sent = stamp;
                if altered {
                    sent.writer += OTHER_WRITER;
                }
                let outcome = write.send_with_token(&engine, sent, &token(stamp));
                parent.tell(&Record::Answer(stamp, outcome))?;
            }
            other => return Err(io::Error::other(format!("not an order: {other:?}"))),
        }
    }
    engine.close();
    parent.tell(&Record::Closed)
}

/// The outer error is the parent's, the inner one the engine's.
fn observe(
    engine: &Engine,
    parent: &mut Parent,
    (threads, looks): (u8, u32),
    unfinished: u64,
) -> io::Result<Result<(), Error>> {
    let observation = match look(engine, threads, looks) {
        Ok(observation) => observation,
        Err(error) => return Ok(Err(error)),
    };
    for problem in observation.problems {
        parent.tell(&Record::Problem(problem))?;
    }
    for (table, items) in observation.tables {
        parent.tell(&Record::Table(table.clone()))?;
        for item in items {
            let body = EncodedItem::from(&item);
            parent.tell_with(&Record::Item(table.clone()), body.as_bytes())?;
        }
    }
    parent.tell(&Record::Observed {
        items: observation.items,
        entries: observation.entries,
        kept: Kept {
            unfinished: if looks == 1 { unfinished } else { 0 },
            ..observation.kept
        },
    })?;
    Ok(Ok(()))
}

struct Observation {
    tables: BTreeMap<String, Vec<Item>>,
    problems: Vec<String>,
    items: u64,
    entries: u64,
    kept: Kept,
}

fn look(engine: &Engine, threads: u8, looks: u32) -> Result<Observation, Error> {
    faded::stop_expiry(engine)?;
    // Twice: with an index that a crash has left half full or half gone, and without.
    let mut problems = engine.verify()?.problems;
    index_changes::await_end(engine)?;
    let verification = engine.verify()?;
    problems.extend(verification.problems);
    for problem in &mut problems {
        problem.insert_str(0, "verify: ");
    }
    let mut kept = Kept::default();
    // What is sent again after the first look does not touch these.
    if looks == 1 {
        let (wrong, counts) = copies::compare(engine)?;
        problems.extend(wrong);
        kept = counts;
        let (wrong, expired) = faded::compare(engine)?;
        problems.extend(wrong);
        kept.expired = expired;
    }
    let mut tables = BTreeMap::new();
    for name in engine.list_tables(ListTablesInput::new())?.table_names {
        let description = engine.describe_table(DescribeTableInput::new(&name))?;
        let description = description.table.unwrap_or_default();
        let items = scan(engine, ScanInput::new(&name).consistent())?;
        problems.extend(indexes::compare(engine, &description, &items)?);
        problems.extend(streams::compare(engine, &description, &items)?);
        if !is_judged_by_itself(&name) {
            tables.insert(name, items);
        }
    }
    problems.extend(compare_reads(engine, &tables, threads)?);
    Ok(Observation {
        tables,
        problems,
        items: verification.items,
        entries: verification.entries,
        kept,
    })
}

/// The parent knows nothing of these tables.
fn is_judged_by_itself(name: &str) -> bool {
    [LEDGER, MOMENTS, FADING, TOLD].contains(&name) || Way::of_table(name).is_some()
}

/// Every key that a thread may have written, read by itself, must be what the scan found, or nothing.
fn compare_reads(
    engine: &Engine,
    tables: &BTreeMap<String, Vec<Item>>,
    threads: u8,
) -> Result<Vec<String>, Error> {
    let mut problems = Vec::new();
    for thread in 0..threads {
        for place in Place::all() {
            let name = place.table.name(thread);
            let Some(items) = tables.get(&name) else {
                continue;
            };
            let key = place.key(thread);
            let is_same = |item: &&Item| {
                key.iter()
                    .all(|(name, value)| item.get(name) == Some(value))
            };
            let scanned = items.iter().find(is_same);
            let read = engine.get_item(GetItemInput::new(&name, key.clone()).consistent())?;
            let read = read.item.as_ref().map(EncodedItem::to_item);
            if read.as_ref() != scanned {
                problems.push(format!("{name} {place:?}: GetItem and Scan differ"));
            }
        }
    }
    Ok(problems)
}
