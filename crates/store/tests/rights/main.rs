//! What callers may do, and what they are told.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod answers;
mod cascades;
mod doors;
mod errors;
mod explanations;
mod folders;
mod grants;
mod rules;
mod tenants;

use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{Error, ErrorKind, Store};

/// A store of a model in memory.
async fn store_of(text: &str) -> Store {
    let checked = monotable_check::check(text);
    let errors: Vec<_> = checked.diagnostics.iter().collect();
    let model = checked.model.unwrap_or_else(|| panic!("{errors:?}"));
    let store = Store::new(model, Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    store
}

/// The store of `notes.toml`.
async fn notes() -> Store {
    store_of(include_str!("notes.toml")).await
}

/// The store as a user sees it.
fn user(store: &Store, id: &str) -> Store {
    store.as_principal(Item::new().with("userId", id))
}

fn kind<T: std::fmt::Debug>(result: Result<T, Error>) -> ErrorKind {
    result.unwrap_err().kind()
}

fn note(id: &str, owner: &str) -> Item {
    Item::new().with("noteId", id).with("owner", owner)
}

fn note_key(id: &str) -> Item {
    Item::new().with("noteId", id)
}

fn comment(note: &str, id: &str, author: &str) -> Item {
    Item::new()
        .with("noteId", note)
        .with("commentId", id)
        .with("author", author)
}

fn comment_key(note: &str, id: &str) -> Item {
    Item::new().with("noteId", note).with("commentId", id)
}
