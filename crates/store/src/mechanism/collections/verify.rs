//! Whether what a row owns has its owner, and whether a long delete or move was left unfinished.

use crate::address::Address;
use crate::mark::{self, Begun};
use crate::profile::references;
use crate::scope::Scope;
use crate::value;
use crate::verify::{
    Candidate, Confirmation, FactSink, Fields, Findings, LocalRemedy, StatedRow, Subject, Topic,
    UnfinishedKind, ViolationKind, entity_at, read_address, state_local,
};
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::KeyTemplate;
use monotable_model::model::{EntityId, KeyPlace, Model, TableId, Way};
use std::collections::BTreeSet;

/// The owner is there.
const OWNER: u8 = 0;
/// A row that it owns.
const OWNED: u8 = 1;

/// The patterns by which rows own others.
#[derive(Debug)]
pub(crate) struct Ownership {
    patterns: Vec<OwnedRange>,
    owners: BTreeSet<EntityId>,
}

/// A range of a table whose items a row owns.
#[derive(Debug)]
struct OwnedRange {
    owner: EntityId,
    table: TableId,
    is_shared: bool,
    partition: KeyTemplate,
    sort: Option<KeyTemplate>,
}

impl Ownership {
    pub(crate) fn new(model: &Model) -> Self {
        let mut patterns = Vec::new();
        let mut owners = BTreeSet::new();
        for (owner, entity) in model.stored() {
            for pattern in &entity.owns {
                let Way::Query { table, key } = &model.pattern(*pattern).way else {
                    continue;
                };
                if key.place != KeyPlace::Primary {
                    continue;
                }
                owners.insert(owner);
                let range = key.range.as_ref().filter(|range| !range.parts.is_empty());
                patterns.push(OwnedRange {
                    owner,
                    table: *table,
                    is_shared: key.global,
                    partition: KeyTemplate::new(model, owner, &key.hash),
                    sort: range.map(|range| KeyTemplate::new(model, owner, range)),
                });
            }
        }
        Self { patterns, owners }
    }

    /// The rows that should own an item.
    fn owners_of(&self, scope: &Scope, address: &Address) -> Vec<(EntityId, Address)> {
        let ranges = self.patterns.iter();
        ranges
            .filter_map(|range| Some((range.owner, range.owner_of(scope, address)?)))
            .filter(|(_, owner)| owner != address)
            .collect()
    }
}

impl OwnedRange {
    fn owner_of(&self, scope: &Scope, address: &Address) -> Option<Address> {
        if address.table() != self.table {
            return None;
        }
        let own = scope
            .addressing()
            .strip_prefix(address.partition_key(), self.is_shared)?;
        let texts = self.partition.parse(own)?;
        if let Some(sort) = &self.sort
            && !sort.looks_like(address.sort_key()?)
        {
            return None;
        }
        let declared = scope.entity(self.owner);
        let mut values = Item::new();
        for (name, text) in texts {
            let attribute = declared.attribute(&name)?;
            values.insert(name, value::read(&attribute.kind, text)?);
        }
        scope.addressing().locate_row(self.owner, &values).ok()
    }
}

/// States the row's mark, whether it owns others, and who owns it.
pub(crate) fn state(
    row: &StatedRow<'_>,
    scope: &Scope,
    ownership: &Ownership,
    facts: &mut dyn FactSink,
) {
    state_mark(row, scope, facts);
    let entity = row.record.entity;
    if ownership.owners.contains(&entity) {
        let subject = Fields::new().address(row.address);
        let fields = Fields::new().number(entity.index() as u64);
        facts.state(Topic::Collections, subject, OWNER, fields);
    }
    // A reference to the owner says it as well.
    let refers = |owner: EntityId| {
        let mut own = references(scope.entity(entity));
        own.any(|(_, reference)| reference.target == owner)
    };
    if row.says_tenant {
        let owners = ownership.owners_of(scope, row.address);
        for (owner, address) in owners.into_iter().filter(|(owner, _)| !refers(*owner)) {
            state_owned(facts, (owner, &address), (entity, row.address));
        }
    }
}

fn state_owned(
    facts: &mut dyn FactSink,
    (owner, owner_address): (EntityId, &Address),
    (entity, address): (EntityId, &Address),
) {
    let fields = Fields::new()
        .number(owner.index() as u64)
        .number(entity.index() as u64)
        .address(address);
    let subject = Fields::new().address(owner_address);
    facts.state(Topic::Collections, subject, OWNED, fields);
}

fn state_mark(row: &StatedRow<'_>, scope: &Scope, facts: &mut dyn FactSink) {
    let Some(mark) = &scope.profile(row.record.entity).deleting else {
        return;
    };
    let Some(since) = row.item.get(mark) else {
        return;
    };
    let mut repositories = scope.model().repositories.iter();
    if repositories.any(|repository| repository.intent == row.record.entity) {
        return;
    }
    let since = match since {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        _ => "some time".to_owned(),
    };
    let (kind, message) = match mark::read(row.item, mark) {
        Some(Begun::Move { name, .. }) => (
            UnfinishedKind::Move,
            format!("`{name}` has begun at {since} and has not ended: call it again"),
        ),
        _ => (
            UnfinishedKind::Delete,
            format!("its delete has begun at {since} and has not ended: delete it again"),
        ),
    };
    state_local(
        facts,
        Topic::Collections,
        row,
        kind,
        &message,
        LocalRemedy::None,
    );
}

/// Judges an owner with what it owns.
pub(crate) fn judge(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    let mut owners = Vec::new();
    while let Some(fact) = subject.next_fact() {
        let scope = findings.scope;
        let mut fields = fact.fields();
        match fact.rank {
            OWNER => owners.extend(fields.number()),
            OWNED => {
                let owner = fields.number();
                let entity = fields.number().and_then(|index| entity_at(scope, index));
                let address = fields.address(scope);
                let place = read_address(scope, subject.key());
                let (Some(owner), Some(entity), Some(address), Some(place)) =
                    (owner, entity, address, place)
                else {
                    continue;
                };
                if owners.contains(&owner) {
                    continue;
                }
                let name = entity_at(scope, owner).map_or("", |owner| scope.name(owner));
                findings.push(Candidate {
                    told: ViolationKind::Owner.into(),
                    subject: subject.key().clone(),
                    entity,
                    message: format!("it belongs to {name} {place}, which is not there"),
                    confirmation: Confirmation::Rejudge(vec![address.clone(), place]),
                    address,
                    remedy: None,
                });
            }
            _ => {
                crate::verify::judge_local(subject, fact.fields(), findings);
            }
        }
    }
}
