//! A family tree through the generated client of `models/yggdrasil`: `cargo run -p monotable-typed --example family`.
//!
//! The client is what `monotable generate rust models/yggdrasil/model.toml --out tools/typed/src/yggdrasil.rs` writes.

use monotable_engine::Engine;
use monotable_typed::yggdrasil::patterns::WholeTreeRow;
use monotable_typed::yggdrasil::{Principal, Yggdrasil, parent_child, person, tree, user};
use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let db = Yggdrasil::open(Engine::in_memory()?)?;
    db.store().setup().await?;

    // What is required is an argument; what is optional is a field.
    let ann = user::New {
        password_hash: Some("correct horse".into()),
        ..user::New::new("ann@example.com")
    };
    let ann = db.user().create(ann).await?.user_id;
    let my = db.as_principal(Principal::new(&ann));
    let oak = my.tree().create(tree::New::new(&ann, "Oak")).await?;

    // Two persons and their link, all or none.
    let new = |id: &str, name: &str| person::New {
        person_id: Some(id.into()),
        ..person::New::new(&ann, &oak.tree_id, name, "Oak", person::Gender::Female)
    };
    let link = |from: &str, to: &str| {
        let biological = parent_child::Type::Biological;
        parent_child::New::new(&ann, from, to, &oak.tree_id, biological)
    };
    let writes = (
        my.person().create(new("p1", "Ann")),
        my.person().create(new("p2", "Bea")),
        my.parent_child().attach(link("p1", "p2")),
    );
    let (first, second, _) = my.transact(writes).await?;
    assert_eq!((first.n, second.n), (1, 2));
    let cycle = my.parent_child().attach(link("p2", "p1")).await;
    assert!(cycle.is_err(), "a child is not its parent's parent");

    // Rows of several entities are an enum, so none can be forgotten.
    for row in my.query().whole_tree(&oak.tree_id).all(100).await? {
        show(&row);
    }
    let stranger = db.as_principal(Principal::new("eve"));
    assert!(stranger.query().tree_by_id(&oak.tree_id).await?.is_none());
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a program that shows what it does")]
fn show(row: &WholeTreeRow) {
    match row {
        WholeTreeRow::Tree(tree) => println!("tree {} of {}", tree.tree_name, tree.person_count),
        WholeTreeRow::Person(person) => println!("person {} {}", person.first_name, person.n),
        WholeTreeRow::ParentChild(link) => println!("{} above {}", link.parent_id, link.child_id),
        WholeTreeRow::Spousal(pair) => println!("{} and {}", pair.person1_id, pair.person2_id),
    }
}
