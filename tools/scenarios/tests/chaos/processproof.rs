//! Resources, their parents and their collections.

use super::workload::Workload;
use monotable_item::{AttributeValue, Item};
use monotable_store::{AnyOperation, Attach, Change, Create, Delete, Detach, Update};

pub(crate) struct Resources;

fn urn(id: u32) -> String {
    format!("urn:pp:System.User::r{id}")
}

fn text(item: &Item, name: &str) -> String {
    match item.get(name) {
        Some(AttributeValue::S(text)) => text.clone(),
        _ => String::new(),
    }
}

impl Workload for Resources {
    fn model(&self) -> &'static str {
        "processproof"
    }

    fn operation(&self, chance: &mut fastrand::Rng) -> AnyOperation {
        let one = chance.u32(0..10);
        let other = chance.u32(0..10);
        let mail = format!("{}@x.org", chance.u32(0..14));
        match chance.u32(0..100) {
            0..34 => AnyOperation::Create(Create {
                entity: "Resource".to_owned(),
                values: Item::new()
                    .with("_resourceType", "System.User")
                    .with("_id", format!("r{one}"))
                    .with("emailAddress", mail),
            }),
            34..60 => AnyOperation::Attach(Attach {
                entity: "ParentChildRelationship".to_owned(),
                values: Item::new()
                    .with("parentUrn", urn(one))
                    .with("childUrn", urn(other)),
            }),
            60..76 => AnyOperation::Attach(Attach {
                entity: "CollectionMembershipRelationship".to_owned(),
                values: Item::new()
                    .with("collectionUrn", urn(one))
                    .with("memberUrn", urn(other))
                    .with("_accountUrn", "urn:pp:System.Account::a"),
            }),
            76..84 => AnyOperation::Update(Update {
                entity: "Resource".to_owned(),
                key: Item::new().with("urn", urn(one)),
                change: Change {
                    set: Item::new().with("emailAddress", mail),
                    ..Change::default()
                },
            }),
            84..93 => AnyOperation::Detach(Detach {
                entity: "ParentChildRelationship".to_owned(),
                key: Item::new()
                    .with("parentUrn", urn(one))
                    .with("childUrn", urn(other)),
            }),
            _ => AnyOperation::Delete(Delete {
                entity: "Resource".to_owned(),
                key: Item::new().with("urn", urn(one)),
            }),
        }
    }

    fn takes(&self, operation: &AnyOperation) -> Vec<String> {
        match operation {
            // A delete takes what is below, and anything may have been below anything.
            AnyOperation::Delete(Delete { .. }) => (0..10).map(urn).collect(),
            AnyOperation::Detach(Detach { key, .. }) => {
                vec![format!(
                    "{}/{}",
                    text(key, "parentUrn"),
                    text(key, "childUrn")
                )]
            }
            _ => Vec::new(),
        }
    }

    fn makes(&self, operation: &AnyOperation) -> Option<(String, Vec<String>)> {
        match operation {
            AnyOperation::Create(Create { values, .. }) => {
                let urn = format!("urn:pp:System.User::{}", text(values, "_id"));
                Some((urn, Vec::new()))
            }
            AnyOperation::Attach(Attach { values, .. }) => {
                let ends = ["parentUrn", "childUrn", "collectionUrn", "memberUrn"];
                let ends = ends.iter().map(|end| text(values, end)).collect();
                let pair = format!("{}/{}", text(values, "parentUrn"), text(values, "childUrn"));
                Some((pair, ends))
            }
            _ => None,
        }
    }

    fn key(&self, operation: &AnyOperation) -> Option<(String, Item)> {
        match operation {
            AnyOperation::Create(Create { entity, values }) => {
                let urn = format!("urn:pp:System.User::{}", text(values, "_id"));
                Some((entity.clone(), Item::new().with("urn", urn)))
            }
            AnyOperation::Attach(Attach { entity, values }) => {
                let mut key = values.clone();
                key.remove("_accountUrn");
                Some((entity.clone(), key))
            }
            _ => None,
        }
    }
}
