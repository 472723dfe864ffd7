//! What happens to one item.

use super::{Blame, Demand};
use crate::interrupt::Interrupt;
use monotable_item::{AttributeValue, Item, Number};
use std::collections::{BTreeMap, BTreeSet};

/// A write of one item and what must hold of it before.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub(crate) write: Write,
    pub(crate) demands: Vec<(Demand, Blame)>,
}

/// What is done to the item.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    /// Nothing: the demands must hold.
    Check,
    /// It becomes this.
    Put(Item),
    /// It is changed.
    Update(Edit),
    /// It goes.
    Delete,
}

/// A change of some attributes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Edit {
    pub(crate) set: Item,
    pub(crate) remove: BTreeSet<String>,
    pub(crate) add: BTreeMap<String, Number>,
}

impl Edit {
    /// Adds to a number.
    pub(crate) fn adding(name: &str, number: Number) -> Self {
        let add = BTreeMap::from([(name.to_owned(), number)]);
        Self {
            add,
            ..Self::default()
        }
    }

    fn then(mut self, next: Self) -> Self {
        for (name, value) in next.set {
            self.remove.remove(&name);
            self.add.remove(&name);
            self.set.insert(name, value);
        }
        for name in next.remove {
            self.set.remove(&name);
            self.add.remove(&name);
            self.remove.insert(name);
        }
        for (name, number) in next.add {
            match self.set.get(&name) {
                Some(AttributeValue::N(set)) => {
                    let sum = set.checked_add(number).unwrap_or(*set);
                    self.set.insert(name, sum);
                }
                _ => {
                    let before = self.add.get(&name).copied().unwrap_or(Number::from(0));
                    let sum = before.checked_add(number).unwrap_or(before);
                    self.add.insert(name, sum);
                }
            }
        }
        self
    }

    pub(crate) fn apply(&self, item: &mut Item) {
        for (name, value) in self.set.iter() {
            item.insert(name.clone(), value.clone());
        }
        for name in &self.remove {
            item.remove(name);
        }
        for (name, number) in &self.add {
            let sum = match item.get(name) {
                Some(AttributeValue::N(before)) => before.checked_add(*number).unwrap_or(*before),
                _ => *number,
            };
            item.insert(name.clone(), sum);
        }
    }

    /// Whether it says what an attribute will be.
    fn decides(&self, attribute: &str) -> bool {
        self.set.get(attribute).is_some() || self.remove.contains(attribute)
    }
}

impl Write {
    /// What the item is afterwards.
    pub(super) fn applied(&self, stored: Option<&Item>) -> Option<Item> {
        match self {
            Self::Check => stored.cloned(),
            Self::Put(item) => Some(item.clone()),
            Self::Delete => None,
            Self::Update(edit) => {
                let mut item = stored.cloned().unwrap_or_default();
                edit.apply(&mut item);
                Some(item)
            }
        }
    }
}

impl Action {
    pub(crate) const fn new(write: Write) -> Self {
        let demands = Vec::new();
        Self { write, demands }
    }

    pub(crate) const fn check() -> Self {
        Self::new(Write::Check)
    }

    pub(crate) fn demand(mut self, demand: Demand, blame: impl Into<Blame>) -> Self {
        self.demands.push((demand, blame.into()));
        self
    }

    /// This, and then that: one action with the effect of both.
    pub(super) fn then(mut self, next: Self) -> Result<Self, Interrupt> {
        let Self { write, demands } = next;
        // Deleted twice: both speak of what is stored.
        if matches!((&self.write, &write), (Write::Delete, Write::Delete)) {
            self.demands.extend(demands);
            return Ok(self);
        }
        for (demand, blame) in demands {
            match self.foreseen(&demand) {
                Some(true) => {}
                Some(false) => return Err(Interrupt::from(blame)),
                None => self.require(demand, blame),
            }
        }
        self.write = match (self.write, write) {
            (before, Write::Check) => before,
            (Write::Check, after) => after,
            (Write::Put(mut item), Write::Update(edit)) => {
                edit.apply(&mut item);
                Write::Put(item)
            }
            (Write::Update(before), Write::Update(after)) => Write::Update(before.then(after)),
            // What is being deleted is not kept up to date.
            (Write::Delete, Write::Update(_)) => Write::Delete,
            (_, after @ (Write::Put(_) | Write::Delete)) => after,
        };
        Ok(self)
    }

    /// One more demand. What several take from one number adds up.
    fn require(&mut self, demand: Demand, blame: Blame) {
        if let Demand::AtLeast { attribute, least } = &demand {
            for (known, _) in &mut self.demands {
                if let Demand::AtLeast {
                    attribute: name,
                    least: sum,
                } = known
                    && name == attribute
                {
                    *sum = sum.checked_add(*least).unwrap_or(*sum);
                    return;
                }
            }
        }
        self.demands.push((demand, blame));
    }

    /// Whether a later demand is decided by what is written before it. None: by what is stored.
    fn foreseen(&self, demand: &Demand) -> Option<bool> {
        match &self.write {
            Write::Check => None,
            Write::Put(item) => Some(demand.holds(Some(item))),
            Write::Delete => Some(demand.holds(None)),
            Write::Update(edit) => {
                let attributes = demand.attributes();
                let decided =
                    !attributes.is_empty() && attributes.iter().all(|name| edit.decides(name));
                decided.then(|| {
                    let mut item = Item::new();
                    edit.apply(&mut item);
                    demand.holds(Some(&item))
                })
            }
        }
    }
}
