//! The mark on a row that moves: nothing new comes to what it owns, and a delete is told from a move.

use super::Relocation;
use crate::address::Address;
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::mechanism::keys::moving_name;
use crate::writer;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::EntityId;
use std::collections::BTreeSet;

impl Relocation<'_> {
    /// Marks the row: from now on nothing new refers to it. A row that is being deleted or purged is not moved: what is
    /// left of it is not all of it.
    pub(super) async fn mark(&self, entity: EntityId, address: &Address) -> Result<(), Interrupt> {
        let reader = self.reader;
        let Some(mark) = reader.profile(entity).deleting.clone() else {
            return Ok(());
        };
        let moving = moving_name(&mark);
        let name = AttributeValue::S(self.declared.name.value.clone());
        let Some(item) = reader.get(address, true).await? else {
            return Err(
                Error::not_found(reader.name(entity), reader.mention(entity, address)).into(),
            );
        };
        let item = item.to_item();
        let removal = Error::being_deleted(reader.name(entity), reader.mention(entity, address));
        match (item.get(&mark), item.get(&moving)) {
            (Some(_), Some(known)) if *known == name => return Ok(()),
            (Some(_), _) => return Err(removal.into()),
            (None, _) => {}
        }
        let edit = Edit {
            set: Item::new()
                .with(mark.as_str(), reader.circumstances.now_text())
                .with(moving, name),
            ..Edit::default()
        };
        let action = Action::new(Write::Update(edit))
            .demand(Demand::Present, Blame::Changed)
            .demand(Demand::is(mark, None), Blame::Changed);
        let mut draft = Draft::default();
        draft.add(address.clone(), action)?;
        writer::commit(reader, &mut draft).await
    }

    /// What is purged cannot be taken back any more.
    pub(super) async fn forget_move(&self, address: &Address) -> Result<(), Interrupt> {
        let reader = self.reader;
        let Some(mark) = reader.profile(self.to).deleting.clone() else {
            return Ok(());
        };
        let edit = Edit {
            remove: BTreeSet::from([moving_name(&mark)]),
            ..Edit::default()
        };
        let action = Action::new(Write::Update(edit)).demand(Demand::Present, Blame::Changed);
        let mut draft = Draft::default();
        draft.add(address.clone(), action)?;
        writer::commit(reader, &mut draft).await
    }

    /// Takes the mark off again, if it is this one.
    pub(super) async fn unmark(
        &self,
        entity: EntityId,
        address: &Address,
        item: &Item,
    ) -> Result<(), Interrupt> {
        let reader = self.reader;
        let Some(mark) = reader.profile(entity).deleting.clone() else {
            return Ok(());
        };
        let edit = Edit {
            remove: BTreeSet::from([mark.clone(), moving_name(&mark)]),
            ..Edit::default()
        };
        let known = item.get(&mark).cloned();
        let take = Action::new(Write::Update(edit)).demand(Demand::is(mark, known), Blame::Changed);
        let mut draft = Draft::default();
        draft.add(address.clone(), take)?;
        match writer::commit(reader, &mut draft).await {
            Ok(()) | Err(Interrupt::Restart) => Ok(()),
            Err(stop) => Err(stop),
        }
    }
}
