//! Tenants, users, roles and grants.

use super::workload::Workload;
use monotable_item::{AttributeValue, Item};
use monotable_store::{AnyOperation, Change, Create, Delete, Update};

pub(crate) struct Grants;

fn id(kind: char, number: u32) -> String {
    format!("01HZX9KQ7T0000000000000{kind}{number:02}")
}

fn text(item: &Item, name: &str) -> String {
    match item.get(name) {
        Some(AttributeValue::S(text)) => text.clone(),
        _ => String::new(),
    }
}

impl Workload for Grants {
    fn model(&self) -> &'static str {
        "authorization"
    }

    fn operation(&self, chance: &mut fastrand::Rng) -> AnyOperation {
        let tenant = id('T', chance.u32(0..3));
        let user = id('V', chance.u32(0..5));
        let name = format!("name-{}", chance.u32(0..6));
        let mail = format!("{}@x.org", chance.u32(0..4));
        let phone = format!("+4312345{:02}", chance.u32(0..4));
        let create = |entity: &str, values| {
            AnyOperation::Create(Create {
                entity: entity.to_owned(),
                values,
            })
        };
        let update = |entity: &str, key, set| {
            AnyOperation::Update(Update {
                entity: entity.to_owned(),
                key,
                change: Change {
                    set,
                    ..Change::default()
                },
            })
        };
        let delete = |entity: &str, key| {
            AnyOperation::Delete(Delete {
                entity: entity.to_owned(),
                key,
            })
        };
        match chance.u32(0..100) {
            0..15 => create(
                "Tenant",
                Item::new().with("tenantId", tenant).with("name", name),
            ),
            15..35 => create(
                "User",
                Item::new()
                    .with("userId", user)
                    .with("email", mail)
                    .with("phone", phone),
            ),
            35..55 => create(
                "TenantGrant",
                Item::new()
                    .with("tenantId", tenant)
                    .with("userId", user)
                    .with("roles", Vec::<AttributeValue>::new()),
            ),
            55..63 => create(
                "Role",
                Item::new().with("scope", "tenant").with("name", name),
            ),
            63..68 => update(
                "Role",
                Item::new().with("scope", "tenant").with("name", name),
                Item::new().with("name", format!("name-{}", chance.u32(0..6))),
            ),
            68..74 => update(
                "Tenant",
                Item::new().with("tenantId", tenant),
                Item::new().with("name", name),
            ),
            74..80 => update(
                "User",
                Item::new().with("userId", user),
                Item::new().with("email", mail),
            ),
            80..84 => update(
                "User",
                Item::new().with("userId", user),
                Item::new().with("phone", AttributeValue::Null),
            ),
            84..90 => delete("User", Item::new().with("userId", user)),
            90..95 => delete("Tenant", Item::new().with("tenantId", tenant)),
            _ => delete(
                "TenantGrant",
                Item::new().with("tenantId", tenant).with("userId", user),
            ),
        }
    }

    fn takes(&self, operation: &AnyOperation) -> Vec<String> {
        let AnyOperation::Delete(Delete { entity, key }) = operation else {
            return Vec::new();
        };
        let name = match entity.as_str() {
            "TenantGrant" => format!("{}/{}", text(key, "tenantId"), text(key, "userId")),
            "User" => text(key, "userId"),
            _ => text(key, "tenantId"),
        };
        vec![name]
    }

    fn makes(&self, operation: &AnyOperation) -> Option<(String, Vec<String>)> {
        let AnyOperation::Create(Create { entity, values }) = operation else {
            return None;
        };
        let (tenant, user) = (text(values, "tenantId"), text(values, "userId"));
        match entity.as_str() {
            "Tenant" => Some((tenant, Vec::new())),
            "User" => Some((user, Vec::new())),
            "TenantGrant" => Some((format!("{tenant}/{user}"), vec![tenant, user])),
            // Roles are renamed: their keys move.
            _ => None,
        }
    }

    fn key(&self, operation: &AnyOperation) -> Option<(String, Item)> {
        let AnyOperation::Create(Create { entity, values }) = operation else {
            return None;
        };
        let names: &[&str] = match entity.as_str() {
            "Tenant" => &["tenantId"],
            "User" => &["userId"],
            "TenantGrant" => &["tenantId", "userId"],
            _ => return None,
        };
        let key = names.iter().filter_map(|name| {
            let value = values.get(name)?;
            Some(((*name).to_owned(), value.clone()))
        });
        Some((entity.clone(), key.collect()))
    }
}
