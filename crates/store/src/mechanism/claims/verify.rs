//! Whether every unique value has its guard, and every guard its value, in every form that guards have.

mod guard_shapes;
mod judge;

pub(crate) use guard_shapes::GuardShapes;
pub(crate) use judge::judge;

use super::{HeldGuard, guards_held};
use crate::address::Address;
use crate::draft::Demand;
use crate::guard::{GuardRow, unguarded_claims};
use crate::scope::Scope;
use crate::spread;
use crate::verify::{
    FactSink, FieldReader, Fields, LocalRemedy, StatedRow, Topic, ViolationKind, state_local,
};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::EntityId;

/// The item that stands there.
const GUARD: u8 = 0;
/// A value that is guarded there.
const CLAIM: u8 = 1;
/// A value that an old guard may guard there.
const ALSO: u8 = 2;

/// What an item is as a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A row that does nothing but guard a value of this entity.
    Hidden,
    /// A row of a guard's entity that says whose it is.
    Entity,
    /// Nothing that is known as a guard.
    Other,
}

/// States the row's claims, and what it guards itself.
pub(crate) fn state(
    row: &StatedRow<'_>,
    scope: &Scope,
    shapes: &GuardShapes,
    facts: &mut dyn FactSink,
) -> bool {
    let guards = shapes.guards_as_entity(row.record);
    if shapes.is_guard_entity(row.record.entity) {
        let role = if guards { Role::Entity } else { Role::Other };
        state_guard(facts, row.address, row.item, (role, row.record.entity));
    }
    for error in unguarded_claims(scope, row.record) {
        let kind = ViolationKind::Value;
        let message = error.to_string();
        state_local(facts, Topic::Values, row, kind, &message, LocalRemedy::None);
    }
    // Rows of one item that is stored as several have its guards together.
    let first = if spread::is_spread(scope, row.record.entity) {
        spread::locate_first(scope, row.record).ok().flatten()
    } else {
        None
    };
    let item = first.as_ref().unwrap_or(row.address);
    for HeldGuard { entity, guard } in guards_held(scope, row.record) {
        let fields = Fields::new()
            .text(&guard.claim)
            .number(row.record.entity.index() as u64)
            .address(row.address)
            .address(item);
        let fields = write_demands(fields, scope, entity, &guard);
        for also in &guard.also {
            let subject = Fields::new().address(also);
            let fields = Fields::new().address(row.address);
            facts.state(Topic::Claims, subject, ALSO, fields);
        }
        let subject = Fields::new().address(&guard.address);
        facts.state(Topic::Claims, subject, CLAIM, fields);
    }
    guards
}

/// States an item that is no row of an entity. True: it is a guard.
pub(crate) fn state_item(
    address: &Address,
    item: &Item,
    scope: &Scope,
    shapes: &GuardShapes,
    facts: &mut dyn FactSink,
) -> bool {
    let guarded = shapes.hidden_guard_of(scope, address, item);
    let first = scope.model().stored().next().map(|(id, _)| id);
    let role = guarded.map(|entity| (Role::Hidden, entity));
    let role = role.or_else(|| first.map(|first| (Role::Other, first)));
    if let Some(role) = role {
        state_guard(facts, address, item, role);
    }
    guarded.is_some()
}

fn state_guard(
    facts: &mut dyn FactSink,
    address: &Address,
    item: &Item,
    (role, entity): (Role, EntityId),
) {
    let fields = Fields::new()
        .number(role as u64)
        .number(entity.index() as u64)
        .item(item);
    facts.state(Topic::Claims, Fields::new().address(address), GUARD, fields);
}

const IS: u64 = 0;
const ABSENT_OR_IS: u64 = 1;
const KEPT: u64 = 2;

/// What tells that a guard is the row's, where old guards may stand, and what kind of row a hidden guard is.
fn write_demands(fields: Fields, scope: &Scope, entity: EntityId, guard: &GuardRow) -> Fields {
    let mut fields = fields.number(guard.also.len() as u64);
    for also in &guard.also {
        fields = fields.address(also);
    }
    let first = scope.entity(entity).is.first();
    let kind = first.and_then(|first| {
        let name = &first.attribute.value;
        guard.item.get(name).map(|kind| (name, kind))
    });
    fields = match kind {
        Some((name, kind)) => fields.text(name).value(Some(kind)),
        None => fields.text("").value(None),
    };
    for demand in &guard.owner {
        fields = match demand {
            Demand::Is { attribute, value } => {
                fields.number(IS).text(attribute).value(value.as_ref())
            }
            Demand::AbsentOrIs { attribute, value } => fields
                .number(ABSENT_OR_IS)
                .text(attribute)
                .value(Some(value)),
            _ => fields,
        };
    }
    for (attribute, value) in guard.kept.iter() {
        fields = fields.number(KEPT).text(attribute).value(Some(value));
    }
    fields
}

/// The claim of a row on a guard, as its fact says it.
struct Claim {
    name: String,
    entity: EntityId,
    owner: Address,
    /// Where the first row of the owner's item stands: the owner itself, unless the item is stored as several rows.
    item: Address,
    also: Vec<Address>,
    kind: Option<(String, AttributeValue)>,
    demands: Vec<Demand>,
    /// What the guard says of the row beside what it claims.
    kept: Vec<(String, AttributeValue)>,
}

impl Claim {
    fn read(scope: &Scope, mut fields: FieldReader<'_>) -> Option<Self> {
        let name = fields.text()?.to_owned();
        let entity = crate::verify::entity_at(scope, fields.number()?)?;
        let owner = fields.address(scope)?;
        let item = fields.address(scope)?;
        let mut also = Vec::new();
        for _ in 0..fields.number()? {
            also.push(fields.address(scope)?);
        }
        let kind = fields.text()?.to_owned();
        let kind = fields.value().map(|value| (kind, value));
        let (mut demands, mut kept) = (Vec::new(), Vec::new());
        while let Some(code) = fields.number() {
            let attribute = fields.text()?.to_owned();
            let value = fields.value();
            match (code, value) {
                (KEPT, Some(value)) => kept.push((attribute, value)),
                (ABSENT_OR_IS, Some(value)) => {
                    demands.push(Demand::AbsentOrIs { attribute, value });
                }
                (_, value) => demands.push(Demand::Is { attribute, value }),
            }
        }
        Some(Self {
            name,
            entity,
            owner,
            item,
            also,
            kind,
            demands,
            kept,
        })
    }

    /// Whether an item is this row's guard.
    fn holds(&self, item: &Item) -> bool {
        self.demands.iter().all(|demand| demand.holds(Some(item)))
    }

    /// The attribute of a guard that says something else of its row than the row does.
    fn find_stale(&self, item: &Item) -> Option<&str> {
        let mut kept = self.kept.iter();
        let stale = kept.find(|(name, value)| item.get(name) != Some(value));
        stale.map(|(name, _)| name.as_str())
    }

    /// The attribute by which an item is no guard of this claim.
    fn is_other_kind(&self, item: &Item) -> Option<&str> {
        let (name, kind) = self.kind.as_ref()?;
        (item.get(name) != Some(kind)).then_some(name)
    }
}
