//! Walks along a relation: up the guards of a chain, and through the rows above and below an end.

use crate::address::{Address, Finder, PartitionRange};
use crate::draft::{Action, Blame, Demand, Draft};
use crate::error::{Clash, Error};
use crate::find::finder;
use crate::find::unguarded::holders;
use crate::guard;
use crate::interrupt::Interrupt;
use crate::profile::stored_name;
use crate::reader::Reader;
use crate::record::Record;
use crate::store_item::{is_adopted, refuse_unadopted};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Claim, Relation};
use monotable_model::span::Name;

/// Which way along the relation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Above,
    Below,
}

/// A row of a relation that is written, and what is walked for it.
pub(super) struct Walk<'a> {
    pub(super) reader: &'a Reader<'a>,
    pub(super) relation: &'a Relation,
    pub(super) row: &'a Record,
    /// Where the row stands, if it is there already: it is not in its own way.
    pub(super) old: Option<&'a Address>,
}

/// A link: its end on the side that is walked from, and the other.
type Link = (AttributeValue, AttributeValue);

impl Walk<'_> {
    /// Reads the chain above the first end, guard by guard, and demands that it stays. Gives back how many links it has.
    pub(super) async fn climb_guards(
        &self,
        draft: &mut Draft,
        claim: &Claim,
        holder: &str,
    ) -> Result<usize, Interrupt> {
        let (reader, relation) = (self.reader, self.relation);
        let to = self.row.values.get(&relation.to.value);
        let mut current = self.row.values.get(&relation.from.value).cloned();
        for links in 0..relation.depth {
            let Some(id) = current else {
                return Ok(links);
            };
            // The guard of a relation that ends here; its own first end does not matter for the key.
            let mut above = self.row.clone();
            above.values.insert(relation.to.value.clone(), id.clone());
            let Some(guard) = guard::guard(reader, &above, claim)? else {
                return Ok(links);
            };
            let item = reader.stored(draft, &guard.address).await?;
            let found = item.and_then(|item| reader.decode(guard.address.table(), &item));
            let mut parent = found
                .as_ref()
                .and_then(|found| found.values.get(holder).cloned());
            let check = match &found {
                Some(found) => {
                    let stored = stored_name(reader.entity(found.entity), holder);
                    Demand::is(stored, parent.clone())
                }
                None => Demand::Absent,
            };
            draft.add(guard.address, Action::check().demand(check, Blame::Changed))?;
            if parent.is_none() && !is_adopted(reader).await? {
                parent = Box::pin(self.unguarded_end(draft, claim, &above)).await?;
            }
            if parent.is_none() && found.is_none() {
                return Ok(links);
            }
            if parent.as_ref() == to {
                return Err(self.cycle().into());
            }
            current = parent;
        }
        Err(self.too_deep().into())
    }

    /// The first end of a relation that no guard tells, because another program wrote it. The write demands that it stays.
    async fn unguarded_end(
        &self,
        draft: &mut Draft,
        claim: &Claim,
        above: &Record,
    ) -> Result<Option<AttributeValue>, Interrupt> {
        let (reader, name) = (self.reader, self.reader.name(self.row.entity));
        let found = holders(reader, above.entity, claim, &above.values).await?;
        let others = found.map(|found| {
            let others = found
                .into_iter()
                .filter(|found| Some(&found.address) != self.old && !draft.deletes(&found.address));
            others.collect::<Vec<_>>()
        });
        let undecided = match others.as_deref() {
            Some([]) => return Ok(None),
            Some([found]) => {
                let check = Action::check().demand(Demand::Present, Blame::Changed);
                draft.add(found.address.clone(), check)?;
                return Ok(found.record.values.get(&self.relation.from.value).cloned());
            }
            Some(_) => "there are several",
            None => "no guard and no key leads to it",
        };
        let end = &self.relation.to.value;
        let undecided =
            format!("which {name} ends at a `{end}` of the chain cannot be told: {undecided}");
        Err(refuse_unadopted(reader, &undecided).await)
    }

    /// How many links the longest chain on one side of an end has. Meeting the other end of the row is a cycle.
    pub(super) async fn height(
        &self,
        draft: &Draft,
        side: Side,
        start: &AttributeValue,
        end: &AttributeValue,
    ) -> Result<usize, Interrupt> {
        let mut seen = vec![start.clone()];
        let mut level = vec![start.clone()];
        let mut links: Vec<Link> = Vec::new();
        while !level.is_empty() {
            let found = self.links(draft, side, &level).await?;
            level = Vec::new();
            for link in found {
                if link.1 == *end {
                    return Err(self.cycle().into());
                }
                if !seen.contains(&link.1) {
                    seen.push(link.1.clone());
                    level.push(link.1.clone());
                }
                if !links.contains(&link) {
                    links.push(link);
                }
            }
        }
        Ok(longest_chain(&links, start))
    }

    /// The links that lead on from these ends.
    async fn links(
        &self,
        draft: &Draft,
        side: Side,
        level: &[AttributeValue],
    ) -> Result<Vec<Link>, Interrupt> {
        let (reader, row) = (self.reader, self.row);
        let (near, far) = self.ends(side);
        let mut asked: Vec<PartitionRange> = Vec::new();
        for id in level {
            if let Some(rows) = self.range_from(near, far, id)
                && !asked.contains(&rows)
            {
                asked.push(rows);
            }
        }
        let table = reader.entity(row.entity).table;
        let mut links = Vec::new();
        // Relations of the same transaction count too.
        let own = draft.puts(table).cloned().collect();
        let stored = reader.all(&asked).await?;
        for items in stored.into_iter().chain(std::iter::once(own)) {
            let others = items.iter().filter(|item| {
                self.old.is_none()
                    || reader.addressing().locate_item(table, item).as_ref() != self.old
            });
            let rows = others.filter_map(|item| reader.decode(table, item));
            for found in rows.filter(|found| found.entity == row.entity) {
                let first = found.values.get(&near.value);
                let second = found.values.get(&far.value);
                if let (Some(first), Some(second)) = (first, second)
                    && level.contains(first)
                {
                    links.push((first.clone(), second.clone()));
                }
            }
        }
        Ok(links)
    }

    /// The end that is walked from, and the other one.
    const fn ends(&self, side: Side) -> (&Name, &Name) {
        match side {
            Side::Below => (&self.relation.from, &self.relation.to),
            Side::Above => (&self.relation.to, &self.relation.from),
        }
    }

    /// Where the rows with this end stand. What the row has in common with its neighbours may be its own place, as that of
    /// a leaf is; then only what all rows of the relation share leads to the others.
    fn range_from(&self, near: &Name, far: &Name, id: &AttributeValue) -> Option<PartitionRange> {
        let known = [self.known(near, far, id), self.shared(near, id)];
        known.iter().find_map(|known| {
            match finder(self.reader, self.row.entity, known, &near.value) {
                Some(Finder::Range(rows)) => Some(rows),
                Some(Finder::Key(_)) | None => None,
            }
        })
    }

    /// The end, the row whose counter orders the relation, and what is in that row's key.
    fn shared(&self, near: &Name, id: &AttributeValue) -> Item {
        let entity = self.reader.entity(self.row.entity);
        let serial = self.relation.serial.as_ref().map(|(name, _)| &name.value);
        let attribute = serial.and_then(|name| entity.attribute(name));
        let target = attribute.and_then(|attribute| attribute.reference.as_ref());
        let of_target = target.map(|reference| self.reader.entity(reference.target));
        let of_target = of_target.map(|target| target.key_attributes());
        let mut known = Item::new().with(near.value.as_str(), id.clone());
        let names = of_target.unwrap_or_default();
        for name in names.into_iter().chain(serial.map(String::as_str)) {
            if let Some(value) = self.row.values.get(name) {
                known.insert(name, value.clone());
            }
        }
        known
    }

    /// What is known of all rows with this end: what they share with the row, but not what is its own.
    fn known(&self, near: &Name, far: &Name, id: &AttributeValue) -> Item {
        let entity = self.reader.entity(self.row.entity);
        let mut known = self.row.values.clone();
        known.remove(&far.value);
        if let Some(own) = &entity.id {
            known.remove(own);
        }
        for attribute in entity
            .attributes
            .iter()
            .filter(|known| known.generated.is_some())
        {
            known.remove(&attribute.name.value);
        }
        known.insert(near.value.clone(), id.clone());
        known
    }

    fn cycle(&self) -> Error {
        Error::conflict(self.reader.name(self.row.entity), Clash::Cycle)
    }

    pub(super) fn too_deep(&self) -> Error {
        let depth = self.relation.depth;
        Error::conflict(self.reader.name(self.row.entity), Clash::TooDeep { depth })
    }
}

/// How many of these links follow each other at most. Links that lead in a circle end there: somebody else wrote them.
fn longest_chain(links: &[Link], start: &AttributeValue) -> usize {
    let mut longest = 0;
    let mut level = vec![start];
    while !level.is_empty() && longest <= links.len() {
        let next = links.iter().filter(|(first, _)| level.contains(&first));
        let mut ends: Vec<&AttributeValue> = Vec::new();
        for (_, end) in next {
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        level = ends;
        if !level.is_empty() {
            longest += 1;
        }
    }
    longest
}
