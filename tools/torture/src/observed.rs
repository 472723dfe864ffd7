//! What a checking child found, thread by thread.

use crate::model::{ThreadState, number};
use crate::place::{COUNTERS, LASTING, Place, SHARED, Table, counter_attribute, counter_key};
use crate::record::{Frame, Kept, Record};
use crate::version;
use bytes::Bytes;
use monotable_item::{EncodedItem, Item};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that is there.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// The state of each thread.
    pub threads: Vec<ThreadState>,
    /// The lasting tables.
    pub lasting: BTreeSet<String>,
    /// What is wrong whatever was written.
    pub problems: Vec<String>,
    /// Items that `verify` read.
    pub items: u64,
    /// Index entries that it read.
    pub entries: u64,
    /// What was kept of the ledger.
    pub kept: Kept,
}

impl Observed {
    /// Sorts out the frames of one look.
    #[must_use]
    pub fn from_frames(frames: Vec<Frame>, threads: u8) -> Self {
        let mut observed = Self::default();
        let mut tables = Tables::default();
        for frame in frames {
            match frame.record {
                Record::Table(name) => tables.add(name),
                Record::Item(table) => {
                    let item = EncodedItem::from_stored(Bytes::from(frame.body)).to_item();
                    tables.insert(&table, item, &mut observed.problems);
                }
                Record::Problem(problem) => observed.problems.push(problem),
                Record::Observed {
                    items,
                    entries,
                    kept,
                } => {
                    (observed.items, observed.entries) = (items, entries);
                    observed.kept = kept;
                }
                _ => {}
            }
        }
        observed.lasting = tables.take_lasting();
        let counters = tables.take_counters(threads, &mut observed.problems);
        for thread in 0..threads {
            let mut state = tables.take_thread(thread);
            for (counter, count) in counters.iter().zip(&mut state.counts) {
                *count = number(counter, &counter_attribute(thread));
            }
            observed.threads.push(state);
        }
        observed.problems.extend(tables.strangers());
        observed
    }
}

/// Items by their encoded key, by table.
#[derive(Default)]
struct Tables(BTreeMap<String, BTreeMap<Vec<u8>, Item>>);

impl Tables {
    fn add(&mut self, name: String) {
        self.0.entry(name).or_default();
    }

    fn insert(&mut self, table: &str, item: Item, problems: &mut Vec<String>) {
        let key: Item = ["pk", "sk"]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), item.get(name)?.clone())))
            // `sk` is an attribute like others where it is not a key; no item here has it then.
            .collect();
        if !version::is_whole(&item) {
            problems.push(format!(
                "{table} {key:?}: stamp, payload and checksum do not match"
            ));
        }
        let items = self.0.entry(table.to_owned()).or_default();
        if items.insert(encode(&key), item).is_some() {
            problems.push(format!("{table} {key:?}: twice in one scan"));
        }
    }

    fn take_lasting(&self) -> BTreeSet<String> {
        let lasting = LASTING
            .into_iter()
            .filter(|name| self.0.contains_key(*name));
        lasting.map(ToOwned::to_owned).collect()
    }

    /// The shared counters, each of which must be the sum of what the threads added.
    fn take_counters(&mut self, threads: u8, problems: &mut Vec<String>) -> Vec<Item> {
        let mut shared = self.0.remove(SHARED).unwrap_or_default();
        let mut counters = Vec::new();
        for counter in 0..COUNTERS {
            let item = shared.remove(&encode(&counter_key(counter)));
            let item = item.unwrap_or_default();
            let added = (0..threads).map(|thread| number(&item, &counter_attribute(thread)));
            let (added, total) = (added.sum::<u64>(), number(&item, "added"));
            if added != total {
                problems.push(format!(
                    "counter {counter}: the total is {total}, the threads' parts make {added}"
                ));
            }
            counters.push(item);
        }
        self.0.insert(SHARED.to_owned(), shared);
        counters
    }

    fn take_thread(&mut self, thread: u8) -> ThreadState {
        let mut state = ThreadState::default();
        for place in Place::all() {
            let items = self.0.get_mut(&place.table.name(thread));
            let item = items.and_then(|items| items.remove(&encode(&place.key(thread))));
            state.items.extend(item.map(|item| (place, item)));
        }
        let side = Table::Side.name(thread);
        state.has_side = self.0.contains_key(&side);
        if self.0.get(&side).is_some_and(BTreeMap::is_empty) {
            self.0.remove(&side);
        }
        state
    }

    /// What is left is nobody's.
    fn strangers(self) -> Vec<String> {
        let mut strangers = Vec::new();
        for (table, items) in self.0 {
            if items.is_empty() && !LASTING.contains(&table.as_str()) {
                strangers.push(format!("table {table}: nobody made it"));
            }
            strangers.extend(items.values().map(|item| {
                let stamp = item.get("stamp");
                format!("{table}: an item that nobody wrote, stamp {stamp:?}")
            }));
        }
        strangers
    }
}

fn encode(key: &Item) -> Vec<u8> {
    EncodedItem::from(key).as_bytes().to_vec()
}
