//! Tenants, callers, and who may touch which partitions.

use super::attributes;
use super::block::Block;
use super::inline::Inline;
use super::policy::{self, PolicyScope};
use super::sentence;
use monotable_model::model::{Entity, EntityId, Isolation, KeyPlace, Model, Tenant};

/// A page is read before it is known where the tables will be.
const SCOPE: PolicyScope<'_> = PolicyScope {
    region: "REGION",
    account: "ACCOUNT",
};

/// How tenants and callers are kept apart.
pub(crate) fn blocks(model: &Model) -> Vec<Block> {
    let mut blocks = vec![Block::heading(2, "tenancy", "Tenancy and isolation")];
    match &model.tenant {
        Some(tenant) => blocks.extend(self::tenant(model, tenant)),
        None => blocks.push(Block::paragraph(
            "The model has no tenants: keys are written as their templates say.",
        )),
    }
    if !model.principal.is_empty() {
        blocks.push(Block::caption("What is known of the principal"));
        blocks.push(Block::table(
            "The principal",
            &["Attribute", "Kind", "Default"],
            model.principal.iter().map(attributes::plain_row).collect(),
        ));
    }
    match &model.isolation {
        Some(isolation) => blocks.extend(self::isolation(model, isolation)),
        None => blocks.push(Block::paragraph(
            "The model has no isolation rule: which partitions a principal may touch is not limited by keys.",
        )),
    }
    blocks
}

fn tenant(model: &Model, tenant: &Tenant) -> Vec<Block> {
    let name = &tenant.attribute.name.value;
    let mut facts = vec![
        (
            "Tenant".to_owned(),
            Inline::of_code(name)
                .text(", ")
                .code(tenant.attribute.kind.to_string()),
        ),
        (
            "Prefix".to_owned(),
            Inline::of_code(&tenant.prefix.text).text(
                " stands before every partition key, of the table and of indexes. Requests below show it.",
            ),
        ),
    ];
    if let Some(bare) = &tenant.bare {
        facts.push((
            "Without prefix".to_owned(),
            Inline::new()
                .text("the tenant ")
                .code(bare)
                .text(" has no prefix: leave it out there"),
        ));
    }
    let global = global_keys(model);
    if !global.is_empty() {
        facts.push(("Global keys".to_owned(), Inline::join(global, "; ")));
    }
    vec![Block::Facts(facts)]
}

/// Keys that no tenant's prefix stands before.
fn global_keys(model: &Model) -> Vec<Inline> {
    let of_entity = |(id, entity): (EntityId, &Entity)| {
        let table = model.table(entity.table);
        let keys = entity.keys.iter().filter(|key| key.global);
        let places: Vec<_> = keys
            .map(|key| match key.place {
                KeyPlace::Primary => "key",
                KeyPlace::Index(position) => table
                    .indexes
                    .get(position)
                    .map_or("", |index| index.name.value.as_str()),
            })
            .collect();
        (!places.is_empty())
            .then(|| sentence::entity(model, id).text(format!(" ({})", places.join(", "))))
    };
    model.stored().filter_map(of_entity).collect()
}

fn isolation(model: &Model, isolation: &Isolation) -> Vec<Block> {
    let partitions = isolation
        .partitions
        .iter()
        .map(|template| Inline::of_code(&template.text));
    vec![
        Block::caption("Isolation"),
        Block::paragraph(
            "A principal touches only partitions whose key is one of these. A final `*` stands for anything.",
        ),
        Block::List(partitions.collect()),
        Block::paragraph(
            "The same as statements of an IAM policy; the second one lets a principal read the store's own item. They \
             allow no `Scan`, which has no partition. `ForAllValues` is also true of a request without keys, so the \
             `Null` condition refuses those. Transactions are allowed by the actions they are made of. Put the region and the account in the place of `REGION` and \
             `ACCOUNT`, or let `monotable export iam-policy` print the whole policy.",
        ),
        Block::Code {
            language: "json",
            text: policy::statements(model, isolation, SCOPE),
        },
    ]
}
