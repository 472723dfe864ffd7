//! Requests with numbers: what is stored after each of them is known without having sent any.
//!
//! One thread sends them one after another. So whatever happens, the store must be as after all acknowledged requests, or as after one
//! more: the one that was under way.

use monotable_api::{
    CreateTableInput, DeleteItemInput, Error, GetItemInput, GlobalSecondaryIndex, PutItemInput,
    ScalarAttributeType, ScanInput, TransactPut, TransactWriteItem, TransactWriteItemsInput,
};
use monotable_engine::{Engine, EngineOptions, OpenError};
use monotable_item::{AttributeValue, EncodedItem, Item};
use std::collections::BTreeMap;
use std::path::Path;
use std::thread;
use std::time::Duration;

const TABLE: &str = "numbered";
/// How many items there can be.
const ITEMS: u64 = 17;
/// The request after which everything is written to table files, and again after as many.
pub const SETTLES: u64 = 40;

/// What is stored: for each item, the request that wrote it.
pub type State = BTreeMap<String, u64>;

/// How often a lock is tried again, and after how long. A child that another thread starts holds the locks of this process until it
/// runs its own program.
const LOCK_TRIES: u32 = 200;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Opens a store for requests. Nothing is read in the background that a test does not ask for.
///
/// # Errors
///
/// When it cannot be opened.
pub fn open(path: &Path) -> Result<Engine, OpenError> {
    let options = || EngineOptions::new().scrub_bytes_per_second(0);
    let mut tries = LOCK_TRIES;
    loop {
        match options().cache_bytes(1 << 20).open(path) {
            Err(OpenError::Locked { .. }) if tries > 0 => {
                tries -= 1;
                thread::sleep(LOCK_PAUSE);
            }
            opened => return opened,
        }
    }
}

/// Sends a request. The first one makes the table.
///
/// # Errors
///
/// When the engine refuses it.
pub fn send(engine: &Engine, number: u64) -> Result<(), Error> {
    match Kind::of(number) {
        Kind::CreateTable => {
            let table = CreateTableInput::new(TABLE, "pk", ScalarAttributeType::S)
                .attribute("group", ScalarAttributeType::N)
                .global_index(GlobalSecondaryIndex::new("by-group", "group"));
            engine.create_table(table).map(drop)
        }
        Kind::Put(key) => {
            let put = PutItemInput::new(TABLE, item(&key, number));
            engine.put_item(put).map(drop)
        }
        Kind::Delete(key) => {
            let delete = DeleteItemInput::new(TABLE, Item::new().with("pk", key));
            engine.delete_item(delete).map(drop)
        }
        Kind::Transact(keys) => {
            let puts = keys
                .iter()
                .map(|key| TransactPut::new(TABLE, item(key, number)));
            let puts: Vec<TransactWriteItem> = puts.map(Into::into).collect();
            engine
                .transact_write_items(TransactWriteItemsInput::new(puts))
                .map(drop)
        }
    }
}

/// What is stored after so many requests.
#[must_use]
pub fn state_after(requests: u64) -> State {
    let mut state = State::new();
    for number in 0..requests {
        match Kind::of(number) {
            Kind::CreateTable => {}
            Kind::Put(key) => {
                state.insert(key, number);
            }
            Kind::Delete(key) => {
                state.remove(&key);
            }
            Kind::Transact(keys) => state.extend(keys.map(|key| (key, number))),
        }
    }
    state
}

enum Kind {
    CreateTable,
    Put(String),
    Delete(String),
    Transact([String; 2]),
}

impl Kind {
    fn of(number: u64) -> Self {
        let key = |number: u64| format!("item-{:02}", number % ITEMS);
        match number % 5 {
            _ if number == 0 => Self::CreateTable,
            1 => Self::Transact([key(number * 3), key(number * 3 + 1)]),
            3 => Self::Delete(key(number * 7)),
            _ => Self::Put(key(number * 5)),
        }
    }
}

fn item(key: &str, number: u64) -> Item {
    // Some are so long that a commit is written in several pieces.
    let length = if number % 11 == 7 { 9_000 } else { 60 };
    Item::new()
        .with("pk", key.to_owned())
        .with("number", number)
        .with("group", number % 3)
        .with("text", "x".repeat(length))
}

/// All items that there can be.
pub fn keys() -> impl Iterator<Item = String> {
    (0..ITEMS).map(|number| format!("item-{number:02}"))
}

/// The request that wrote an item; none if it is not there.
///
/// # Errors
///
/// When it cannot be read.
pub fn read(engine: &Engine, key: &str) -> Result<Option<u64>, Error> {
    let get = GetItemInput::new(TABLE, Item::new().with("pk", key.to_owned())).consistent();
    let item = engine.get_item(get)?.item.map(|item| item.to_item());
    Ok(item.as_ref().and_then(number_of))
}

/// Everything that is stored; none if there is no table.
///
/// # Errors
///
/// When something cannot be read.
pub fn read_all(engine: &Engine) -> Result<State, Error> {
    let page = match engine.scan(ScanInput::new(TABLE).consistent()) {
        Err(Error::ResourceNotFoundException { .. }) => return Ok(State::new()),
        page => page?,
    };
    let items = page.items.iter().flatten().map(EncodedItem::to_item);
    Ok(items
        .filter_map(|item| match item.get("pk") {
            Some(AttributeValue::S(key)) => Some((key.clone(), number_of(&item)?)),
            _ => None,
        })
        .collect())
}

fn number_of(item: &Item) -> Option<u64> {
    match item.get("number") {
        Some(AttributeValue::N(number)) => number.to_string().parse().ok(),
        _ => None,
    }
}

/// Opens a store and says what is wrong with it: it must be as after `acknowledged` requests, or as after one more if `sent`
/// says that one more was sent; all of its indexes must agree, and it must take writes.
#[must_use]
pub fn find_violation(path: &Path, acknowledged: u64, sent: u64) -> Option<String> {
    let engine = match open(path) {
        Ok(engine) => engine,
        Err(error) => return Some(format!("the store does not open: {error}")),
    };
    let found = match read_all(&engine) {
        Ok(found) => found,
        Err(error) => return Some(format!("items cannot be read: {error}")),
    };
    let mut possible = acknowledged..=sent.max(acknowledged);
    let Some(done) = possible.find(|requests| state_after(*requests) == found) else {
        return Some(format!(
            "after {acknowledged} acknowledged of {sent} requests there is {found:?}, and not {:?}",
            state_after(acknowledged)
        ));
    };
    match engine.verify() {
        Err(error) => return Some(format!("verify: {error}")),
        Ok(verified) if verified.problem_count > 0 => {
            return Some(format!("verify: {:?}", verified.problems));
        }
        Ok(_) => {}
    }
    // What was found must still be there when something is written behind it.
    if done > 1
        && let Err(error) = send(&engine, 4)
    {
        return Some(format!("no write is taken: {error}"));
    }
    engine.close();
    None
}
