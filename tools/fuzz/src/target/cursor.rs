//! Cursors: of the store's patterns, and the tokens of the engine, which is asked to go on with them.
//!
//! The first byte of an input says which. `c` begins changes of a good cursor of a pattern: pairs of a place and what is
//! added there. `C`, `N` and `I` begin a text that is taken as a cursor, as a token of a statement, and as an iterator of a shard.

use crate::flaw::{Flaw, demand};
use monotable_api::{Error, ExecuteStatementInput, GetRecordsInput, ListStreamsInput};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{ErrorKind, Store};
use std::sync::OnceLock;
use tokio::runtime::Runtime;

const MODEL: &str = r#"
monotable = 1
model     = "shelf"

[table.Books]
key = ["PK", "SK"]

[entity.Book]
key = ["SHELF#{shelfId}", "BOOK#{bookId}"]
[entity.Book.attributes]
shelfId = "text, matches = /[a-z]{1,9}/"
bookId  = "text, matches = /[a-z]{1,9}/"

[access.books_of_shelf]
key     = ["SHELF#{shelfId}", "BOOK#*"]
returns = ["Book"]
"#;

/// A good cursor goes on where the page ended. Any other text is refused as the caller's mistake, and never leads to rows of
/// another question.
pub(crate) fn check(input: &[u8]) -> Result<(), Flaw> {
    let world = World::get()?;
    let Some((kind, rest)) = input.split_first() else {
        return Ok(());
    };
    if *kind == b'c' {
        return world.check_changed(rest);
    }
    let Ok(text) = std::str::from_utf8(rest) else {
        return Ok(());
    };
    match kind {
        b'C' => world.check_cursor(text),
        b'N' => {
            let mut statement = ExecuteStatementInput::new("SELECT * FROM Books");
            statement.next_token = Some(text.to_owned());
            demand_no_failure(world.engine.execute_statement(statement).map(drop))
        }
        b'I' => {
            let records = GetRecordsInput {
                shard_iterator: Some(text.to_owned()),
                ..GetRecordsInput::default()
            };
            demand_no_failure(world.engine.get_records(records).map(drop))
        }
        _ => {
            let streams = ListStreamsInput {
                exclusive_start_stream_arn: Some(text.to_owned()),
                ..ListStreamsInput::default()
            };
            demand_no_failure(world.engine.list_streams(streams).map(drop))
        }
    }
}

fn demand_no_failure(answer: Result<(), Error>) -> Result<(), Flaw> {
    match answer {
        Err(Error::InternalServerError { message }) => {
            Err(Flaw::new(format!("it fails inside: {message}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// A store with books on two shelves, and a cursor of one of them.
struct World {
    runtime: Runtime,
    engine: Engine,
    store: Store,
    cursor: String,
}

impl World {
    fn get() -> Result<&'static Self, Flaw> {
        static WORLD: OnceLock<World> = OnceLock::new();
        match WORLD.get() {
            Some(world) => Ok(world),
            None => {
                let made = Self::make()?;
                Ok(WORLD.get_or_init(|| made))
            }
        }
    }

    fn make() -> Result<Self, Flaw> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let reading = monotable_model::read(MODEL);
        let model = reading
            .model
            .ok_or_else(|| Flaw::new(format!("{:?}", reading.diagnostics)))?;
        let engine = Engine::in_memory()?;
        let store = Store::new(model, engine.clone());
        let cursor = runtime.block_on(async {
            store.setup().await?;
            for (shelf, book) in [
                ("low", "emma"),
                ("low", "ulysses"),
                ("low", "zeno"),
                ("high", "faust"),
            ] {
                let book = Item::new().with("shelfId", shelf).with("bookId", book);
                store.create("Book", book).await?;
            }
            let page = store.query("books_of_shelf", low()).limit(1).await?;
            Ok::<_, Flaw>(page.cursor)
        })?;
        let cursor = cursor.ok_or_else(|| Flaw::new("the first page has no cursor"))?;
        Ok(Self {
            runtime,
            engine,
            store,
            cursor,
        })
    }

    /// Changes of the good cursor; without any it must serve.
    fn check_changed(&self, changes: &[u8]) -> Result<(), Flaw> {
        let mut bytes = self.cursor.clone().into_bytes();
        for change in changes.chunks_exact(2) {
            if let [place, added] = change {
                let place = usize::from(*place)
                    .checked_rem(bytes.len())
                    .unwrap_or_default();
                if let Some(byte) = bytes.get_mut(place) {
                    *byte = byte.wrapping_add(*added) & 0x7f;
                }
            }
        }
        self.check_cursor(&String::from_utf8_lossy(&bytes))
    }

    fn check_cursor(&self, text: &str) -> Result<(), Flaw> {
        let page = self.store.query("books_of_shelf", low()).after(text);
        let page = self.runtime.block_on(async { page.await });
        let is_good = text == self.cursor;
        match page {
            Ok(page) => demand(is_good && page.rows.len() == 2, || {
                format!("{text:?} leads to {} rows", page.rows.len())
            }),
            Err(error) => demand(!is_good && error.kind() == ErrorKind::Usage, || {
                format!("{text:?}: {error}")
            }),
        }
    }
}

fn low() -> Item {
    Item::new().with("shelfId", "low")
}
