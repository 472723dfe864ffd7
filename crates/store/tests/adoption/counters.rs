//! Counters and numbers that are behind the rows that another program wrote.

use crate::world::{World, adopt};
use monotable_item::Item;
use monotable_store::ErrorKind;

/// Yggdrasil with a tree that says nothing of its persons; another program wrote three.
async fn tree(count: &str) -> World {
    let world = World::of_model("yggdrasil", "Yggdrasil").await;
    world.load(
        r#"{"PK": "USER#u", "SK": "PROFILE", "GSI3PK": "USER#u", "GSI3SK": "PROFILE", "EntityType": "User", "UserId": "u",
            "Email": "u@example.com", "PasswordHash": "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
            "CreatedAt": "2024-01-02T03:04:05.000Z", "UpdatedAt": "2024-01-02T03:04:05.000Z"}"#,
    );
    world.load(&format!(
        r#"{{"PK": "USER#u", "SK": "TREE#t", "GSI1PK": "TREE#t", "GSI1SK": "USER#u", "GSI2PK": "TREE#t", "GSI2SK": "TREE#METADATA",
            "GSI3PK": "USER#u", "GSI3SK": "TREE#2024-01-02T03:04:05.000Z", "EntityType": "Tree", "UserId": "u", "TreeId": "t",
            "TreeName": "Oak", {count} "CreatedAt": "2024-01-02T03:04:05.000Z", "UpdatedAt": "2024-01-02T03:04:05.000Z"}}"#
    ));
    for number in 1..4 {
        world.load(&format!(
            r#"{{"PK": "USER#u", "SK": "PERSON#p{number}", "GSI1PK": "PERSON#p{number}", "GSI1SK": "TREE#t", "GSI2PK": "TREE#t",
                "GSI2SK": "PERSON#p{number}", "GSI3PK": "USER#u", "GSI3SK": "PERSON#2024-01-02T03:04:05.000Z#{number}",
                "EntityType": "Person", "UserId": "u", "TreeId": "t", "PersonId": "p{number}", "FirstName": "Ann",
                "LastName": "Oak", "Gender": "Female", "CreatedAt": "2024-01-02T03:04:05.000Z",
                "UpdatedAt": "2024-01-02T03:04:05.000Z"}}"#
        ));
    }
    world
}

fn person() -> Item {
    let person = Item::new().with("UserId", "u").with("TreeId", "t");
    let person = person.with("PersonId", "new").with("FirstName", "Bea");
    person.with("LastName", "Oak").with("Gender", "Female")
}

#[tokio::test]
async fn a_counter_below_the_rows_that_are_there_is_not_counted_on() {
    for count in ["", r#""PersonCount": 1,"#] {
        let world = tree(count).await;
        let store = world.unadopted();
        let refused = store.create("Person", person()).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Integrity, "{refused}");
        let message = refused.to_string();
        assert!(
            message.contains("PersonCount") && message.contains("monotable adopt"),
            "{message}"
        );
        adopt(&store).await;
        store.create("Person", person()).await.unwrap();
        let tree = world.item("USER#u", "TREE#t").unwrap();
        assert_eq!(tree.get("PersonCount"), Some(&4.into()));
    }
}

#[tokio::test]
async fn a_number_of_a_row_that_another_program_wrote_is_not_given_again() {
    let world = tree(r#""PersonCount": 3,"#).await;
    let store = world.unadopted();
    store.create("Person", person()).await.unwrap();
    let new = world.item("USER#u", "PERSON#new").unwrap();
    let place = new.get("GSI3SK").cloned();
    let Some(monotable_item::AttributeValue::S(place)) = place else {
        panic!("{new:?}");
    };
    assert!(place.ends_with("#4"), "{place}");
}
