//! Documents of two sites: many clients write, move and delete the same few.

mod asked;
mod noted;
mod promises;
mod raw;
mod seen;
mod tree;

use super::faults::{Busy, Chaos, Rates};
use asked::{Asked, Asking, QUEUES, WORKFLOWS};
use monotable_api::Dynamo;
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Model;
use monotable_scenarios::Stale;
use monotable_store::{AnyOutput, ErrorKind, Options, Retry, Store};
use noted::{Book, End, Entry, end_of, is_whole};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// The first has no prefix before its keys.
const SITES: [&str; 2] = ["default", "finance"];
/// Partitions that all sites share: their rows say whose they are.
const SHARED: [&str; 2] = ["sitegroups", "sites"];
/// What clients may do, rows of this group say.
const GROUP: &str = "people";
const CLIENTS: usize = 6;
const CALLS: usize = 40;
const DOCUMENTS: usize = 3;
const PLACES: usize = SITES.len() * DOCUMENTS;
/// For how many ticks of the book clients stay with a document: each call has three.
const TURN: usize = 90;
/// How many of a client's calls are its last ones.
const LAST: usize = 8;
/// How many lines are shown of what is wrong, and how long they may be.
const SHOWN: usize = 20;
const LENGTH: usize = 2_000;

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/formkiq/model.toml"
    );
    let text = std::fs::read_to_string(path).unwrap();
    monotable_check::check(&text).model.unwrap()
});

fn store(dynamo: impl Dynamo + 'static) -> Store {
    Store::new(MODEL.clone(), dynamo).with_retry(Retry {
        attempts: 30,
        base: Duration::from_micros(200),
        cap: Duration::from_millis(4),
    })
}

/// The store of a site, for the program itself.
fn of_site(calm: &Store, site: &str) -> Store {
    let program = Item::new().with("username", site);
    calm.tenant(site).as_program(program)
}

fn list(texts: &[&str]) -> AttributeValue {
    AttributeValue::L(texts.iter().map(|text| (*text).into()).collect())
}

fn others(site: &str) -> Vec<&'static str> {
    SITES.into_iter().filter(|known| *known != site).collect()
}

pub(crate) fn run(seed: u64, stale: bool, rates: Rates) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(round(seed, stale, rates));
}

async fn round(seed: u64, stale: bool, rates: Rates) {
    let engine = || Engine::in_memory().unwrap();
    let target: Arc<dyn Dynamo> = if stale {
        Arc::new(Stale::new(engine(), engine(), seed))
    } else {
        Arc::new(engine())
    };
    let calm = store(Arc::clone(&target));
    calm.setup().await.unwrap();
    for site in SITES {
        configure(&of_site(&calm, site), site).await;
    }
    let book = Arc::new(Book::default());
    let mut clients = Vec::new();
    for number in 0..CLIENTS {
        let seed = seed * 1000 + number as u64;
        let busy = Busy(Arc::clone(&target));
        let chaos = Arc::new(Chaos::new(busy, rates, seed));
        let client = Client {
            store: store(Arc::clone(&chaos)),
            chaos,
            book: Arc::clone(&book),
            number,
        };
        clients.push(tokio::spawn(client.work(seed)));
    }
    for client in clients {
        client.await.unwrap();
    }
    let entries = book.entries();
    settle(&calm, &entries).await;
    let case = format!("formkiq seed {seed} stale {stale} {rates:?}");
    let made = |entry: &&Entry| entry.end == End::Done && is_whole(&entry.asked.deed);
    assert!(
        entries.iter().any(|entry| made(&entry)),
        "{case}: nothing moved"
    );
    let wrong = broken(&calm, &*target, &entries).await;
    let shown: Vec<String> = wrong.iter().take(SHOWN).map(|wrong| short(wrong)).collect();
    let count = wrong.len();
    assert!(count == 0, "{case}: {count} wrong:\n{}", shown.join("\n"));
}

fn short(text: &str) -> String {
    text.chars().take(LENGTH).collect()
}

/// Documents, and what they refer to.
async fn configure(store: &Store, site: &str) {
    let values = Item::new()
        .with("siteId", site)
        .with("title", site)
        .with("status", "ACTIVE");
    store.create("Site", values).await.unwrap();
    let values = Item::new()
        .with("groupName", GROUP)
        .with("siteId", site)
        .with("permissions", list(&["READ", "WRITE", "DELETE"]));
    store.create("GroupPermission", values).await.unwrap();
    let title = Item::new().with("key", "title").with("dataType", "STRING");
    store.create("Attribute", title).await.unwrap();
    for queue in QUEUES {
        let values = Item::new().with("queueId", queue).with("name", site);
        store.create("Queue", values).await.unwrap();
    }
    for workflow in WORKFLOWS {
        let values = Item::new()
            .with("workflowId", workflow)
            .with("name", site)
            .with("status", "ACTIVE");
        store.create("Workflow", values).await.unwrap();
    }
    for number in 0..DOCUMENTS {
        let values = Item::new().with("documentId", format!("d{number}"));
        store.create("Document", values).await.unwrap();
    }
}

struct Client {
    store: Store,
    chaos: Arc<Chaos<Busy<Arc<dyn Dynamo>>>>,
    book: Arc<Book>,
    number: usize,
}

impl Client {
    async fn work(self, seed: u64) {
        let mut chance = fastrand::Rng::with_seed(seed);
        for call in 0..CALLS {
            // Clients come by the same documents at the same time, mostly.
            let place = match chance.u32(0..4) {
                0 => chance.usize(0..PLACES),
                _ => self.book.now() as usize / TURN % PLACES,
            };
            let site = SITES[place % SITES.len()];
            let asked = Asking {
                mark: format!("{site} {}-{call}", self.number),
                chance: &mut chance,
                site,
                document: place / SITES.len(),
                ends: call + LAST >= CALLS,
            }
            .next();
            self.call(site, asked).await;
        }
    }

    async fn call(&self, site: &'static str, asked: Asked) {
        let user = format!("{site}-{}", self.number);
        let caller = Item::new()
            .with("username", user.as_str())
            .with("groups", list(&[GROUP]));
        let store = self.store.tenant(site).as_principal(caller);
        let began = self.book.now();
        let result = store.run(asked.operation.clone(), Options::default()).await;
        let died = self.chaos.revive();
        let end = match &result {
            Ok(outcome) => {
                own(outcome, site);
                End::Done
            }
            Err(error) => {
                // What callers may meet: never a refusal by the service, never data that contradicts the model.
                let expected = died
                    || matches!(
                        error.kind(),
                        ErrorKind::Conflict
                            | ErrorKind::NotFound
                            | ErrorKind::Validation
                            | ErrorKind::Retryable
                    );
                let kind = error.kind().name();
                assert!(expected, "{:?}: {kind}: {error}", asked.operation);
                end_of(&asked.deed, error, died)
            }
        };
        let ended = if end == End::Unsure && is_whole(&asked.deed) {
            u64::MAX
        } else {
            self.book.now()
        };
        self.book.enter(Entry {
            site,
            user,
            asked,
            began,
            ended,
            end,
        });
    }
}

/// What a client is shown is its site's.
fn own(outcome: &AnyOutput, site: &str) {
    let rows = match outcome {
        AnyOutput::Row(row) => std::slice::from_ref(row),
        AnyOutput::Page(page) => &page.rows,
        _ => &[],
    };
    for row in rows {
        let foreign = seen::is_foreign(&row.values, &others(site));
        assert!(!foreign, "{site} was shown {row:?}");
    }
}

/// Whoever finds an unfinished move or delete says it again. What it meets may be unfinished too: so twice.
async fn settle(calm: &Store, entries: &[Entry]) {
    let unfinished = entries
        .iter()
        .filter(|entry| entry.end == End::Unsure && is_whole(&entry.asked.deed));
    let unfinished: Vec<&Entry> = unfinished.collect();
    for entry in unfinished.iter().chain(&unfinished) {
        let operation = entry.asked.operation.clone();
        let store = of_site(calm, entry.site);
        if let Err(error) = store.run(operation, Options::default()).await {
            let expected = matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Conflict);
            assert!(expected, "{:?}: {error}", entry.asked.operation);
        }
    }
}

/// Everything that does not hold.
async fn broken(calm: &Store, target: &dyn Dynamo, entries: &[Entry]) -> Vec<String> {
    let mut wrong = Vec::new();
    let raw = raw::read(target, calm.model(), &SITES).await;
    for site in SITES {
        let store = of_site(calm, site);
        let raw = &raw[site];
        let found = store.verify().await.unwrap();
        wrong.extend(found.violations.iter().map(ToString::to_string));
        if found.unknown > 0 {
            wrong.push(format!(
                "{} unknown rows: {:?}",
                found.unknown, found.unknown_items
            ));
        }
        wrong.extend(promises::broken(site, raw, entries));
        wrong.extend(tree::broken(raw));
        wrong.extend(seen::broken(&store, raw, &others(site)).await);
        let foreign = raw
            .all
            .iter()
            .filter(|item| !SHARED.contains(&raw::text(item, "PK")))
            .find(|item| seen::is_foreign(item, &others(site)));
        wrong.extend(foreign.map(|item| format!("{site} has {item:?}")));
    }
    wrong
}
