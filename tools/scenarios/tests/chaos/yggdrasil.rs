//! Families.

use super::workload::Workload;
use monotable_item::{AttributeValue, Item};
use monotable_store::{AnyOperation, Change, Create, Delete, Update};

pub(crate) struct Trees;

fn text(item: &Item, name: &str) -> String {
    match item.get(name) {
        Some(AttributeValue::S(text)) => text.clone(),
        _ => String::new(),
    }
}

fn owner(tree: u32) -> String {
    // Each tree has one owner: ids of trees and persons do not repeat.
    format!("u{}", tree % 2)
}

fn person(chance: &mut fastrand::Rng) -> (String, String, String) {
    let tree = chance.u32(0..3);
    let person = chance.u32(0..6);
    (owner(tree), format!("t{tree}"), format!("p{tree}-{person}"))
}

impl Workload for Trees {
    fn model(&self) -> &'static str {
        "yggdrasil"
    }

    fn settings(&self) -> Item {
        // The credential that is not hashed: bcrypt would take all the time.
        Item::new().with("auth", "aws")
    }

    fn operation(&self, chance: &mut fastrand::Rng) -> AnyOperation {
        let (user, tree, one) = person(chance);
        let other = format!("p{}-{}", &tree[1..], chance.u32(0..6));
        let in_tree = || {
            Item::new()
                .with("UserId", user.as_str())
                .with("TreeId", tree.as_str())
        };
        let mail = format!("{}@x.org", chance.u32(0..3));
        let create = |entity: &str, values| {
            AnyOperation::Create(Create {
                entity: entity.to_owned(),
                values,
            })
        };
        let delete = |entity: &str, key| {
            AnyOperation::Delete(Delete {
                entity: entity.to_owned(),
                key,
            })
        };
        match chance.u32(0..100) {
            0..6 => create(
                "User",
                Item::new()
                    .with("UserId", user.as_str())
                    .with("Email", mail)
                    .with("CognitoUsername", "c"),
            ),
            6..14 => create("Tree", in_tree().with("TreeName", "tree")),
            14..48 => create(
                "Person",
                in_tree()
                    .with("PersonId", one.as_str())
                    .with("FirstName", "F")
                    .with("LastName", "L")
                    .with("Gender", "Other"),
            ),
            48..70 => create(
                "ParentChild",
                in_tree()
                    .with("ParentId", one.as_str())
                    .with("ChildId", other)
                    .with("Type", "Biological"),
            ),
            70..81 => create(
                "Spousal",
                in_tree()
                    .with("Person1Id", one.as_str())
                    .with("Person2Id", other)
                    .with("Status", "Married"),
            ),
            81..85 => AnyOperation::Update(Update {
                entity: "User".to_owned(),
                key: Item::new().with("UserId", user.as_str()),
                change: Change {
                    set: Item::new().with("Email", mail),
                    ..Change::default()
                },
            }),
            85..89 => AnyOperation::Update(Update {
                entity: "Tree".to_owned(),
                key: in_tree(),
                change: Change {
                    set: Item::new().with("RootPersonId", one.as_str()),
                    ..Change::default()
                },
            }),
            89..97 => delete(
                "Person",
                Item::new()
                    .with("UserId", user.as_str())
                    .with("PersonId", one.as_str()),
            ),
            97 => delete("Tree", in_tree()),
            // A user takes everything along: seldom.
            98.. if chance.u32(0..5) > 0 => create("Tree", in_tree().with("TreeName", "tree")),
            _ => delete("User", Item::new().with("UserId", user.as_str())),
        }
    }

    fn takes(&self, operation: &AnyOperation) -> Vec<String> {
        let AnyOperation::Delete(Delete { entity, key }) = operation else {
            return Vec::new();
        };
        let name = match entity.as_str() {
            "User" => text(key, "UserId"),
            "Tree" => text(key, "TreeId"),
            _ => text(key, "PersonId"),
        };
        vec![name]
    }

    fn makes(&self, operation: &AnyOperation) -> Option<(String, Vec<String>)> {
        let AnyOperation::Create(Create { entity, values }) = operation else {
            return None;
        };
        let above = vec![text(values, "UserId"), text(values, "TreeId")];
        Some(match entity.as_str() {
            "User" => (text(values, "UserId"), Vec::new()),
            "Tree" => (text(values, "TreeId"), above),
            "Person" => (text(values, "PersonId"), above),
            _ => {
                let ends = ["ParentId", "ChildId", "Person1Id", "Person2Id"];
                let ends = ends.iter().map(|end| text(values, end));
                (
                    format!("{values:?}"),
                    above.into_iter().chain(ends).collect(),
                )
            }
        })
    }

    fn key(&self, operation: &AnyOperation) -> Option<(String, Item)> {
        let AnyOperation::Create(Create { entity, values }) = operation else {
            return None;
        };
        let names: &[&str] = match entity.as_str() {
            "User" => &["UserId"],
            "Tree" => &["UserId", "TreeId"],
            "Person" => &["UserId", "PersonId"],
            "ParentChild" => &["UserId", "ParentId", "ChildId"],
            _ => &["UserId", "Person1Id", "Person2Id"],
        };
        let key = names.iter().filter_map(|name| {
            let value = values.get(name)?;
            Some(((*name).to_owned(), value.clone()))
        });
        Some((entity.clone(), key.collect()))
    }
}
