//! What the declarations of a model need of a target.

use super::Ability;
use monotable_model::model::{Model, Table};

/// A declaration, and what it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// What a target must have.
    pub ability: Ability,
    /// Where the model says so: `entity.User.unique.email`.
    pub declaration: String,
    /// Why, as the rest of a sentence that begins with the declaration.
    pub reason: &'static str,
}

impl Need {
    const fn new(ability: Ability, declaration: String, reason: &'static str) -> Self {
        Self {
            ability,
            declaration,
            reason,
        }
    }
}

/// What a model needs, each with the first declaration that needs it.
#[must_use]
pub fn list_needs(model: &Model) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    needs.extend(need_of_transactions(model));
    for table in &model.tables {
        needs.extend(needs_of_table(table));
    }
    let mut first = Vec::new();
    for need in needs {
        if !first
            .iter()
            .any(|known: &Need| known.ability == need.ability)
        {
            first.push(need);
        }
    }
    first
}

/// A declaration that takes more than one write, which have to be made together.
fn need_of_transactions(model: &Model) -> Option<Need> {
    let need = |declaration, reason| Some(Need::new(Ability::Transactions, declaration, reason));
    for (id, entity) in model.entities() {
        let name = &entity.name.value;
        if let Some(claim) = entity.claims.first() {
            let claim = &claim.name.value;
            return need(
                format!("entity.{name}.unique.{claim}"),
                "keeps a guard beside each row",
            );
        }
        if entity.relation.is_some() {
            return need(format!("entity.{name}"), "relates two rows that must exist");
        }
        if let Some(attribute) = entity.attributes.iter().find(|it| it.reference.is_some()) {
            let attribute = &attribute.name.value;
            return need(
                format!("entity.{name}.attributes.{attribute}"),
                "refers to a row that must exist",
            );
        }
        if model.repository_of(id).is_some() {
            return need(
                format!("entity.{name}"),
                "belongs to a repository, whose commits are one write",
            );
        }
    }
    let derive = model.derives.first();
    derive.and_then(|derive| {
        need(
            format!("derive.{}", derive.name.value),
            "writes rows together with those they follow from",
        )
    })
}

fn needs_of_table(table: &Table) -> Vec<Need> {
    let name = &table.name.value;
    let mut needs = Vec::new();
    for index in &table.indexes {
        let declaration = format!("table.{name}.{}", index.name.value);
        if index.local {
            needs.push(Need::new(Ability::LocalIndexes, declaration, "is local"));
        } else if !index.further.hash.is_empty() || !index.further.range.is_empty() {
            let reason = "has several attributes in a part of its key";
            needs.push(Need::new(Ability::LongIndexKeys, declaration, reason));
        }
    }
    let settings = [
        (Ability::Streams, "stream", table.stream.is_some()),
        (Ability::TimeToLive, "ttl", table.ttl.is_some()),
        (Ability::PointInTimeRecovery, "pitr", table.pitr),
        (
            Ability::DeletionProtection,
            "deletion_protection",
            table.deletion_protection == Some(true),
        ),
        (Ability::Tags, "tags", !table.tags.is_empty()),
    ];
    for (ability, setting, is_declared) in settings {
        if is_declared {
            needs.push(Need::new(
                ability,
                format!("table.{name}.{setting}"),
                "is declared",
            ));
        }
    }
    needs
}
