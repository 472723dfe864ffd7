//! The main job in one page: a durable table with an index, items, a query and a transaction.
//!
//! `cargo run --example quickstart` keeps its data in `./quickstart-data`; run it twice to see that it is
//! still there.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use monotable_api::{
    CreateTableInput, Error, GlobalSecondaryIndex, PutItemInput, QueryInput, ScalarAttributeType,
    TransactPut, TransactUpdate, TransactWriteItemsInput,
};
use monotable_engine::Engine;
use monotable_item::Item;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::open("quickstart-data")?;
    create_table(&engine)?;

    let person = Item::new()
        .with("PK", "USER#1")
        .with("SK", "PERSON#ada")
        .with("GSI1PK", "TREE#lovelace")
        .with("FirstName", "Ada");
    let put = PutItemInput::new("Yggdrasil", person).condition("attribute_not_exists(PK)");
    match engine.put_item(put) {
        Ok(_) => println!("put Ada"),
        Err(Error::ConditionalCheckFailedException { .. }) => println!("Ada is there already"),
        Err(error) => return Err(error.into()),
    }

    // Two writes, both or none.
    let visit = Item::new().with("PK", "USER#1").with("SK", "VISIT");
    engine.transact_write_items(
        TransactWriteItemsInput::new([TransactPut::new("Yggdrasil", visit)]).and(
            TransactUpdate::new(
                "Yggdrasil",
                Item::new().with("PK", "USER#1").with("SK", "PERSON#ada"),
                "ADD Visits :one",
            )
            .value(":one", 1),
        ),
    )?;

    let query = QueryInput::new("Yggdrasil", "GSI1PK = :tree")
        .index("GSI1")
        .value(":tree", "TREE#lovelace");
    for found in engine.query(query)?.items.unwrap_or_default() {
        println!("{}", serde_json::to_string(&found)?);
    }
    Ok(())
}

fn create_table(engine: &Engine) -> Result<(), Error> {
    let table = CreateTableInput::new("Yggdrasil", "PK", ScalarAttributeType::S)
        .range("SK", ScalarAttributeType::S)
        .attribute("GSI1PK", ScalarAttributeType::S)
        .global_index(GlobalSecondaryIndex::new("GSI1", "GSI1PK").range("SK"));
    match engine.create_table(table) {
        Ok(_) | Err(Error::ResourceInUseException { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}
