//! Rows that come to a row while it moves, or that an index shows late: the move takes them along.

use monotable_api::{
    BoxFuture, Dynamo, DynamoExt, Error, PutItemInput, QueryOutput, Request, Response,
};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{ErrorKind, Store};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

type Answer = Result<Response, Error>;

/// Books stand where their own ids say: only an index leads from a shelf to them.
const SHELVES: &str = r#"
monotable = 1
model     = "shelves"

[type]
id = "text(1..40)"

[table.main]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.Shelf]
key = ["OWNER#{owner}", "SHELF#{shelfId}"]

[entity.Shelf.attributes]
owner   = "id, movable"
shelfId = "id"
books   = "integer(0..), default = 0"
goingAt = "timestamp?, deleting, internal"

[entity.Shelf.unique.shelfId]
key   = "SHELF#{shelfId}"
keeps = ["owner"]

[entity.Book]
key  = ["BOOK#{bookId}", "BOOK"]
GSI1 = ["BOOKS#{shelfId}", "{bookId}"]

[entity.Book.attributes]
bookId  = "id"
owner   = "id, movable"
shelfId = "-> Shelf, on_delete = cascade, counted = books"

[move.hand_over]
of      = "Shelf"
changes = ["owner"]
carries = ["books_of_shelf"]

[access.shelves]
key     = ["OWNER#{owner}", "SHELF#*"]
returns = ["Shelf"]

[access.book]
key     = ["BOOK#{bookId}", "BOOK"]
returns = ["Book"]

[access.books_of_shelf]
GSI1    = ["BOOKS#{shelfId}"]
returns = ["Book"]
"#;

fn shelves(dynamo: impl Dynamo + 'static) -> Store {
    let checked = monotable_check::check(SHELVES);
    Store::new(checked.model.unwrap(), dynamo)
}

fn families(dynamo: impl Dynamo + 'static) -> Store {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/yggdrasil/model.toml"
    );
    let text = std::fs::read_to_string(path).unwrap();
    // The credential that is not hashed: bcrypt would take all the time.
    Store::new(monotable_check::check(&text).model.unwrap(), dynamo)
        .with_settings(Item::new().with("auth", "aws"))
}

/// What happens at each request, before it is sent.
type Before = dyn Fn(&Request) -> Then + Send + Sync;

/// What becomes of a request.
enum Then {
    Send,
    /// Nothing is found.
    FindNothing,
    /// Nothing arrives.
    Break,
    /// Another client calls first.
    SendAfter(BoxFuture<'static, ()>),
}

struct Watched {
    inside: Arc<Engine>,
    before: Box<Before>,
}

impl Dynamo for Watched {
    fn call(&self, request: Request) -> BoxFuture<'_, Answer> {
        Box::pin(async move {
            match (self.before)(&request) {
                Then::Send => self.inside.call(request).await,
                Then::FindNothing => Ok(Response::Query(QueryOutput::default())),
                Then::Break => Err(Error::AccessDeniedException {
                    message: "the line is cut".to_owned(),
                }),
                Then::SendAfter(other) => {
                    other.await;
                    self.inside.call(request).await
                }
            }
        })
    }
}

fn asks_index(request: &Request) -> bool {
    matches!(request, Request::Query(input) if input.index_name.is_some())
}

fn book(id: &str) -> Item {
    let book = Item::new().with("bookId", id).with("owner", "ann");
    book.with("shelfId", "s")
}

fn shelf(owner: &str) -> Item {
    Item::new().with("owner", owner).with("shelfId", "s")
}

async fn judge(store: &Store, case: &str) {
    let found = store.verify().await.unwrap();
    let wrong: Vec<String> = found.violations.iter().map(ToString::to_string).collect();
    assert!(wrong.is_empty(), "{case}: {}", wrong.join("\n"));
    assert!(
        found.unfinished.is_empty(),
        "{case}: {:?}",
        found.unfinished
    );
}

/// The first so many reads of an index find nothing.
async fn hand_over_with_late_index(hidden: usize) {
    let inside = Arc::new(Engine::in_memory().unwrap());
    let calm = shelves(Arc::clone(&inside));
    calm.setup().await.unwrap();
    calm.create("Shelf", shelf("ann")).await.unwrap();
    for id in ["1", "2"] {
        calm.create("Book", book(id)).await.unwrap();
    }
    let reads = AtomicUsize::new(0);
    let late = shelves(Watched {
        inside: Arc::clone(&inside),
        before: Box::new(move |request| {
            if asks_index(request) && reads.fetch_add(1, Ordering::SeqCst) < hidden {
                return Then::FindNothing;
            }
            Then::Send
        }),
    });
    let to_eve = Item::new().with("owner", "eve");
    let moved = late.move_row("hand_over", shelf("ann"), to_eve).await;
    assert_eq!(moved.unwrap().text("owner"), "eve");
    for id in ["1", "2"] {
        let key = Item::new().with("bookId", id);
        let book = calm.get("Book", key).await.unwrap();
        assert_eq!(book.text("owner"), "eve", "hidden {hidden} times");
    }
    judge(&calm, &format!("hidden {hidden} times")).await;
}

#[tokio::test]
async fn what_an_index_shows_late_goes_along() {
    for hidden in 0..=4 {
        hand_over_with_late_index(hidden).await;
    }
}

#[tokio::test]
async fn a_refused_move_of_uncertain_rows_leaves_no_mark() {
    let inside = Arc::new(Engine::in_memory().unwrap());
    let calm = shelves(Arc::clone(&inside));
    calm.setup().await.unwrap();
    calm.create("Shelf", shelf("ann")).await.unwrap();
    calm.create("Book", book("1")).await.unwrap();
    let engine = Arc::clone(&inside);
    let is_taken = AtomicBool::new(false);
    let mover = shelves(Watched {
        inside: Arc::clone(&inside),
        before: Box::new(move |request| {
            let marks = matches!(request, Request::UpdateItem(_));
            if !marks || is_taken.swap(true, Ordering::SeqCst) {
                return Then::Send;
            }
            // Somebody takes the new place just before the mark: what was looked at early holds no longer.
            let engine = Arc::clone(&engine);
            Then::SendAfter(Box::pin(async move {
                let place = Item::new().with("PK", "OWNER#eve").with("SK", "SHELF#s");
                let put = PutItemInput::new("main", place.with("of", "another program"));
                engine.put_item(put).await.unwrap();
            }))
        }),
    });
    let to_eve = Item::new().with("owner", "eve");
    let refused = mover.move_row("hand_over", shelf("ann"), to_eve).await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Conflict);
    let found = calm.verify().await.unwrap();
    assert!(found.unfinished.is_empty(), "{:?}", found.unfinished);
    calm.get("Shelf", shelf("ann")).await.unwrap();
}

fn in_tree(user: &str) -> Item {
    Item::new().with("UserId", user).with("TreeId", "t")
}

fn couple(user: &str) -> Item {
    let ends = Item::new().with("Person1Id", "p1").with("Person2Id", "p2");
    ends.with("UserId", user)
}

/// A tree of two persons.
async fn plant(store: &Store) {
    store.setup().await.unwrap();
    for id in ["ann", "eve"] {
        let user = Item::new().with("UserId", id).with("CognitoUsername", id);
        let user = user.with("Email", format!("{id}@example.com").as_str());
        store.create("User", user).await.unwrap();
    }
    let tree = in_tree("ann").with("TreeName", "tree");
    store.create("Tree", tree).await.unwrap();
    for id in ["p1", "p2"] {
        let person = in_tree("ann").with("PersonId", id).with("FirstName", "F");
        let person = person.with("LastName", "L").with("Gender", "Other");
        store.create("Person", person).await.unwrap();
    }
}

/// A client before whose first transaction another one marries the two persons; behind it the line may be cut.
fn beside_a_wedding(inside: &Arc<Engine>, is_cut: bool) -> Store {
    let calm = families(Arc::clone(inside));
    let transactions = AtomicUsize::new(0);
    families(Watched {
        inside: Arc::clone(inside),
        before: Box::new(move |request| {
            let writes = matches!(request, Request::TransactWriteItems(_));
            let before = transactions.fetch_add(usize::from(writes), Ordering::SeqCst);
            if !writes || before > 0 {
                let is_over = before > 0 && is_cut;
                return if is_over { Then::Break } else { Then::Send };
            }
            let calm = calm.clone();
            Then::SendAfter(Box::pin(async move {
                let couple = couple("ann").with("TreeId", "t").with("Status", "Married");
                calm.attach("Spousal", couple).await.unwrap();
            }))
        }),
    })
}

#[tokio::test]
async fn what_comes_while_a_row_moves_goes_along() {
    let inside = Arc::new(Engine::in_memory().unwrap());
    let calm = families(Arc::clone(&inside));
    plant(&calm).await;
    let mover = beside_a_wedding(&inside, false);
    let to_eve = Item::new().with("UserId", "eve");
    let moved = mover.move_row("transfer_tree", in_tree("ann"), to_eve);
    moved.await.unwrap();
    calm.get("Spousal", couple("eve")).await.unwrap();
    judge(&calm, "a wedding").await;
}

#[tokio::test]
async fn the_same_call_ends_a_move_that_has_not_looked_again() {
    let inside = Arc::new(Engine::in_memory().unwrap());
    let calm = families(Arc::clone(&inside));
    plant(&calm).await;
    let mover = beside_a_wedding(&inside, true);
    let to_eve = Item::new().with("UserId", "eve");
    let moved = mover.move_row("transfer_tree", in_tree("ann"), to_eve.clone());
    moved.await.unwrap_err();
    let found = calm.verify().await.unwrap();
    let wrong: Vec<String> = found.violations.iter().map(ToString::to_string).collect();
    assert!(
        wrong.iter().any(|told| told.contains("`transfer_tree`")),
        "{wrong:?}"
    );
    // Who may not change what is left does not change it.
    let stranger = calm.as_principal(Item::new().with("UserId", "max"));
    let again = stranger.move_row("transfer_tree", in_tree("ann"), to_eve.clone());
    assert_eq!(again.await.unwrap_err().kind(), ErrorKind::NotFound);
    calm.get("Spousal", couple("ann")).await.unwrap();
    let again = calm.move_row("transfer_tree", in_tree("ann"), to_eve);
    assert_eq!(again.await.unwrap_err().kind(), ErrorKind::NotFound);
    calm.get("Spousal", couple("eve")).await.unwrap();
    judge(&calm, "a wedding and a cut line").await;
}
