//! What mends one finding.

use crate::address::Address;
use crate::assignment::assigned_value;
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::error::Error;
use crate::guard::GuardRow;
use crate::interrupt::Interrupt;
use crate::mechanism::claims::{HeldGuard, guards_held};
use crate::mechanism::each::verify::is_same_element;
use crate::mechanism::{derived, values};
use crate::record::{self, Record};
use crate::scope::Scope;
use crate::spread;
use crate::store::Store;
use crate::verify::{Candidate, FieldReader, Remedy, content_hash};
use crate::whole::verify::{Content, Inspection};
use monotable_item::{AttributeValue, Item, Number};
use monotable_model::model::EntityId;
use std::collections::BTreeSet;

/// What came of a repair.
pub(super) enum Mended {
    /// So many rows were written.
    Written(u64),
    /// Nothing was, and why.
    Left(String),
}

/// A row as it is now.
pub(super) struct Current {
    pub(super) scope: Scope,
    pub(super) address: Address,
    pub(super) record: Record,
    pub(super) item: Item,
}

pub(super) const CHANGED: &str = "it has changed meanwhile";

impl Inspection<'_> {
    /// Mends one finding, if it still can be.
    pub(super) async fn mend(
        &mut self,
        candidate: &Candidate,
        remedy: &Remedy,
    ) -> Result<Mended, Error> {
        if let Remedy::Delete(address) = remedy {
            return self.delete_item(address).await;
        }
        let Some(row) = self.current(&candidate.address).await? else {
            return Ok(Mended::Left(CHANGED.to_owned()));
        };
        match remedy {
            Remedy::SetCounter {
                counter,
                before,
                after,
            } => {
                let edit = Edit {
                    set: Item::new().with(counter.clone(), Number::from(*after)),
                    ..Edit::default()
                };
                let action = Action::new(Write::Update(edit))
                    .demand(Demand::Present, Blame::Changed)
                    .demand(Demand::is(counter.clone(), before.clone()), Blame::Changed);
                self.store
                    .write_repair(&row.scope, &row.address, action)
                    .await
            }
            Remedy::Rewrite => {
                let mut fresh = row.record.clone();
                values::verify::refresh(&row.scope, &mut fresh);
                // Keys that are made of wrong values would be wrong, and what they held would be lost.
                let wrong =
                    record::problems(row.scope.compiled(), &fresh, &row.scope.circumstances);
                match wrong.first() {
                    Some(error) => Ok(Mended::Left(format!("its values are wrong: {error}"))),
                    None => self.rewrite(&row, &fresh).await,
                }
            }
            Remedy::PutGuards => self.put_guards(&row, None).await,
            Remedy::ReplaceGuard(place) => self.put_guards(&row, Some(place)).await,
            Remedy::ClearReference { attribute, id } => {
                let mut cleared = row.record.clone();
                clear(&mut cleared, attribute, id);
                self.rewrite(&row, &cleared).await
            }
            Remedy::PutDerived => self.put_derived(candidate, &row).await,
            Remedy::MakePath(position) => self.make_path(*position, &row).await,
            Remedy::SpreadRows => self.spread_rows(&row).await,
            Remedy::SetTombstone => {
                let mut buried = row.record.clone();
                for assignment in &row.scope.entity(buried.entity).tombstone {
                    let name = &assignment.name.value;
                    let value = assigned_value(&row.scope, &buried.values, &assignment.value);
                    if let (None, Some(value)) = (buried.values.get(name), value) {
                        buried.values.insert(name.clone(), value);
                    }
                }
                self.rewrite(&row, &buried).await
            }
            Remedy::Delete(_) => Ok(Mended::Written(0)),
        }
    }

    /// The row at a place, in its own tenant.
    async fn current(&mut self, address: &Address) -> Result<Option<Current>, Error> {
        let Some(item) = self.store.stored(address).await? else {
            return Ok(None);
        };
        let located = self.tenants.locate(address.table(), &item);
        Ok(located.and_then(|located| match located.content {
            Content::Row { record, .. } => Some(Current {
                scope: located.scope.for_program(),
                address: located.address,
                record,
                item,
            }),
            Content::Other => None,
        }))
    }

    /// Deletes the row of a token, if it is there.
    pub(in crate::whole) async fn delete_token(&self, address: &Address) -> Result<bool, Error> {
        let deleted = self.delete_item(address).await?;
        Ok(matches!(deleted, Mended::Written(1)))
    }

    async fn delete_item(&self, address: &Address) -> Result<Mended, Error> {
        let Some(item) = self.store.stored(address).await? else {
            return Ok(Mended::Written(0));
        };
        let action = demand_unchanged(Action::new(Write::Delete), &item);
        self.store
            .write_repair(&self.neutral, address, action)
            .await
    }

    /// Makes the item what a record gives.
    async fn rewrite(&self, row: &Current, wanted: &Record) -> Result<Mended, Error> {
        let scope = &row.scope;
        let encoded = match scope.encode(wanted) {
            Ok(encoded) => encoded,
            Err(error) => {
                return Ok(Mended::Left(format!(
                    "it breaks the model's rules: {error}"
                )));
            }
        };
        if scope
            .row_address(wanted)
            .is_ok_and(|new| new != row.address)
        {
            return Ok(Mended::Left(
                "it stands under the key of an old layout".to_owned(),
            ));
        }
        let (set, mut remove) =
            record::find_rewrites(scope.compiled(), wanted, &row.item, &encoded);
        for (name, _) in row.record.values.iter() {
            if wanted.values.get(name).is_none() {
                remove.insert(crate::profile::stored_name(
                    scope.entity(wanted.entity),
                    name,
                ));
            }
        }
        remove.retain(|name| row.item.get(name).is_some());
        if loses_number(scope, row, wanted, &remove) {
            let why = "its number is nowhere but in its index keys, which contradict the row";
            return Ok(Mended::Left(why.to_owned()));
        }
        if set.is_empty() && remove.is_empty() {
            return Ok(Mended::Written(0));
        }
        let edit = Edit {
            set,
            remove,
            ..Edit::default()
        };
        let action = demand_unchanged(Action::new(Write::Update(edit)), &row.item);
        self.store.write_repair(scope, &row.address, action).await
    }

    async fn put_guards(&self, row: &Current, replaced: Option<&Address>) -> Result<Mended, Error> {
        let mut written = 0;
        for HeldGuard { entity, guard } in guards_held(&row.scope, &row.record) {
            let taken = Demand::NoneOr(guard.owner.clone());
            let known = self.store.stored(&guard.address).await?;
            let is_owned = known.is_some() && taken.holds(known.as_ref());
            let is_stale = known.as_ref().is_some_and(|known| {
                let mut kept = guard.kept.iter();
                kept.any(|(name, value)| known.get(name) != Some(value))
            });
            let lacks_kind = lacks_kind(&row.scope, entity, &guard, known.as_ref());
            if is_owned && !is_stale && !lacks_kind {
                continue;
            }
            // A guard that another program wrote without an owner is given one.
            let is_ownerless = known
                .as_ref()
                .is_some_and(|known| guard.owner.iter().all(|owner| is_unsaid(owner, known)));
            let put = Action::new(Write::Put(guard.item));
            let is_nobodys = replaced == Some(&guard.address);
            let action = match known.filter(|_| is_owned || is_ownerless || is_nobodys) {
                Some(known) => demand_unchanged(put, &known),
                None => put.demand(Demand::Absent, Blame::Changed),
            };
            let what = format!("the guard of `{}`: another row has the value", guard.claim);
            match self
                .store
                .write_repair(&row.scope, &guard.address, action)
                .await?
            {
                Mended::Written(more) => written += more,
                Mended::Left(_) => return Ok(Mended::Left(what)),
            }
        }
        Ok(Mended::Written(written))
    }

    /// Puts the derived rows that are missing or say something else.
    async fn put_derived(&self, candidate: &Candidate, row: &Current) -> Result<Mended, Error> {
        let scope = &row.scope;
        let derived = match derived::rows(scope, &row.record) {
            Ok(derived) => derived,
            Err(Interrupt::Fail(error)) => return Ok(Mended::Left(error.to_string())),
            Err(_) => return Ok(Mended::Left(CHANGED.to_owned())),
        };
        // The subject is the place of the row, or, where keys are new each time, what it says.
        let place = crate::verify::read_address(&self.neutral, &candidate.subject);
        let mut key = FieldReader(&candidate.subject.key);
        let content = (key.text().is_some() && key.number().is_some())
            .then(|| key.bytes().map(<[u8]>::to_vec))
            .flatten();
        for one in derived {
            let address = scope.row_address(&one)?;
            let is_meant = match &place {
                Some(place) => *place == address,
                None => content.as_deref() == Some(&content_hash(scope, &one)[..]),
            };
            if !is_meant {
                continue;
            }
            let put = Action::new(Write::Put(scope.encode(&one)?));
            let action = match self.store.stored(&address).await? {
                Some(known) => demand_unchanged(put, &known),
                None => put.demand(Demand::Absent, Blame::Changed),
            };
            return self.store.write_repair(scope, &address, action).await;
        }
        Ok(Mended::Left(CHANGED.to_owned()))
    }

    /// Writes the rows of an item that are not there, or that say the element of another. Rows that do not agree about the
    /// whole item are left to a person.
    async fn spread_rows(&self, row: &Current) -> Result<Mended, Error> {
        let scope = &row.scope;
        let item = spread::join(scope, row.record.clone());
        let mut written = 0;
        for one in spread::spread(scope, &item) {
            let address = scope.row_address(&one)?;
            match self.store.stored(&address).await? {
                Some(known) => {
                    let record = scope.decode(address.table(), &known);
                    let joined = record.clone().map(|record| spread::join(scope, record));
                    let agrees = joined.is_some_and(|joined| {
                        content_hash(scope, &joined) == content_hash(scope, &item)
                    });
                    let Some(record) = record.filter(|_| agrees) else {
                        let message = "the rows of its item do not agree: write the item anew";
                        return Ok(Mended::Left(message.to_owned()));
                    };
                    if is_same_element(scope, &record, &one) {
                        continue;
                    }
                    let mut wanted = record.clone();
                    take_element(scope, &mut wanted, &one);
                    let other = Current {
                        scope: scope.for_program(),
                        address,
                        record,
                        item: known,
                    };
                    match self.rewrite(&other, &wanted).await? {
                        Mended::Written(more) => written += more,
                        left @ Mended::Left(_) => return Ok(left),
                    }
                }
                None => {
                    let put = Action::new(Write::Put(scope.encode(&one)?));
                    let put = put.demand(Demand::Absent, Blame::Changed);
                    match self.store.write_repair(scope, &address, put).await? {
                        Mended::Written(more) => written += more,
                        left @ Mended::Left(_) => return Ok(left),
                    }
                }
            }
        }
        Ok(Mended::Written(written))
    }
}

/// Makes a row of an item that of another element; what the store made for it stays.
fn take_element(scope: &Scope, row: &mut Record, other: &Record) {
    for each in &scope.entity(row.entity).each {
        let name = &each.variable.value;
        match other.values.get(name) {
            Some(element) => row.values.insert(name.clone(), element.clone()),
            None => row.values.remove(name),
        };
    }
    values::verify::refresh(scope, row);
}

/// Whether an item says nothing about what is demanded of it.
fn is_unsaid(demand: &Demand, item: &Item) -> bool {
    match demand {
        Demand::Is { attribute, .. } | Demand::AbsentOrIs { attribute, .. } => {
            item.get(attribute).is_none()
        }
        _ => false,
    }
}

/// Whether a guard is told from other rows by a word that it does not have.
fn lacks_kind(scope: &Scope, entity: EntityId, guard: &GuardRow, known: Option<&Item>) -> bool {
    let first = scope.entity(entity).is.first();
    let name = first.map(|first| first.attribute.value.as_str());
    name.is_some_and(|name| {
        let kind = guard.item.get(name);
        kind.is_some() && known.and_then(|known| known.get(name)) != kind
    })
}

fn clear(record: &mut Record, attribute: &str, id: &AttributeValue) {
    if let Some(AttributeValue::L(mut values)) = record.values.remove(attribute) {
        values.retain(|value| value != id);
        if !values.is_empty() {
            record.values.insert(attribute, AttributeValue::L(values));
        }
    }
}

/// Whether a rewrite would take away what is left of an index key that alone holds a number of the row.
fn loses_number(scope: &Scope, row: &Current, wanted: &Record, remove: &BTreeSet<String>) -> bool {
    let entity = scope.entity(wanted.entity);
    let mut attributes = entity.attributes.iter();
    let lacks_number = attributes.any(|attribute| {
        attribute.numbered.is_some() && wanted.values.get(&attribute.name.value).is_none()
    });
    let table = row.address.table();
    let mut names = remove.iter();
    lacks_number && names.any(|name| scope.compiled().is_key_attribute(table, name))
}

/// Demands that an item is what was read.
pub(super) fn demand_unchanged(mut action: Action, item: &Item) -> Action {
    action = action.demand(Demand::Present, Blame::Changed);
    for (name, value) in item.iter() {
        action = action.demand(Demand::is(name, Some(value.clone())), Blame::Changed);
    }
    action
}

impl Store {
    /// The item at a place, read strongly.
    pub(in crate::whole) async fn stored(&self, address: &Address) -> Result<Option<Item>, Error> {
        let items = self.read_items(&BTreeSet::from([address.clone()])).await?;
        Ok(items.into_values().next().flatten())
    }

    /// Writes one repair; what has changed since it was read is left.
    async fn write_repair(
        &self,
        scope: &Scope,
        address: &Address,
        action: Action,
    ) -> Result<Mended, Error> {
        let mut draft = Draft::default();
        if draft.add(address.clone(), action).is_err() {
            return Ok(Mended::Left(CHANGED.to_owned()));
        }
        let request = draft.request(scope.model(), "");
        let answer = self.executor.answer(request.into_request()).await;
        match draft.outcome(answer) {
            Ok(()) => Ok(Mended::Written(1)),
            Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => {
                Ok(Mended::Left(CHANGED.to_owned()))
            }
            Err(Interrupt::Fail(error)) => Err(error),
        }
    }
}
