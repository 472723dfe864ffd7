//! One action on items of one table or index.

use super::keys::Keys;
use monotable_api::{
    Choice, Chosen, ReturnValue, ReturnValuesOnConditionCheckFailure, Select, Selection, TableName,
};
use monotable_expr::tree::DocumentPath;
use monotable_expr::{Condition, Projection, Update};
use monotable_item::EncodedItem;
use std::collections::BTreeSet;

/// An action on items, with everything that conditions can ask about it.
#[derive(Clone, Debug)]
pub(super) struct ItemAccess {
    pub(super) action: &'static str,
    pub(super) table: TableName,
    pub(super) index: Option<String>,
    /// Where the partition keys are; none if the request names no partition.
    pub(super) keys: Option<Keys>,
    pub(super) attributes: BTreeSet<String>,
    pub(super) select: Option<&'static str>,
    /// What the request may return, one or the other; empty if it does not say.
    pub(super) return_values: Vec<&'static str>,
    pub(super) return_consumed_capacity: Option<&'static str>,
    pub(super) enclosing_operation: Option<&'static str>,
}

/// A word of AWS's that a request gives; none where it leaves the choice to DynamoDB.
pub(super) fn word<C: Choice>(given: &Option<Chosen<C>>) -> Option<&'static str> {
    given.as_ref().and_then(Chosen::known).map(Choice::as_str)
}

impl ItemAccess {
    pub(super) const fn new(action: &'static str, table: TableName) -> Self {
        Self {
            action,
            table,
            index: None,
            keys: None,
            attributes: BTreeSet::new(),
            select: None,
            return_values: Vec::new(),
            return_consumed_capacity: None,
            enclosing_operation: None,
        }
    }

    /// On the item with this key, or this item: its attributes are named, too.
    pub(super) fn item(self, item: EncodedItem) -> Self {
        self.items(vec![item])
    }

    pub(super) fn items(mut self, items: Vec<EncodedItem>) -> Self {
        for item in &items {
            let names = item.view().iter().map(|(name, _)| name.to_owned());
            self.attributes.extend(names);
        }
        self.keys = Some(Keys::Items(items));
        self
    }

    /// The attributes of the key at which a page begins are named; the key itself says nothing about what is read.
    pub(super) fn start_key(mut self, start: Option<&EncodedItem>) -> Self {
        let names = start.into_iter().flat_map(|start| start.view().iter());
        self.attributes
            .extend(names.map(|(name, _)| name.to_owned()));
        self
    }

    pub(super) fn named<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let names = names.into_iter().map(str::to_owned);
        self.attributes.extend(names);
        self
    }

    pub(super) fn paths<'p>(self, paths: impl IntoIterator<Item = &'p DocumentPath>) -> Self {
        self.named(paths.into_iter().map(DocumentPath::attribute))
    }

    pub(super) fn condition(self, condition: Option<&Condition>) -> Self {
        match condition {
            Some(condition) => self.named(condition.attributes()),
            None => self,
        }
    }

    /// What an update changes, and what it reads for that.
    pub(super) fn update(self, update: Option<&Update>) -> Self {
        match update {
            Some(update) => self.paths(update.paths()),
            None => self,
        }
    }

    /// Returns these attributes of an item, or all.
    pub(super) fn projection(mut self, projection: Option<&Projection>) -> Self {
        let select = match projection {
            Some(_) => Select::SpecificAttributes,
            None => Select::AllAttributes,
        };
        self.select = Some(select.as_str());
        match projection {
            Some(projection) => self.named(projection.attributes()),
            None => self,
        }
    }

    pub(super) fn selection(mut self, selection: &Selection) -> Self {
        let select = match selection {
            Selection::AllAttributes => Select::AllAttributes,
            Selection::AllProjectedAttributes => Select::AllProjectedAttributes,
            Selection::Specific(projection) => return self.projection(Some(projection)),
            Selection::Count => Select::Count,
        };
        self.select = Some(select.as_str());
        self
    }

    /// What a write returns. A request that wants the stored item when its condition fails can get all of the old item,
    /// whatever it wants otherwise, so it counts as one that returns that, too.
    pub(super) fn returns(
        mut self,
        values: Option<&'static str>,
        on_failure: &Option<Chosen<ReturnValuesOnConditionCheckFailure>>,
    ) -> Self {
        let fails_with_item = on_failure.as_ref().and_then(Chosen::known)
            == Some(ReturnValuesOnConditionCheckFailure::AllOld);
        let (none, all_old) = (ReturnValue::None.as_str(), ReturnValue::AllOld.as_str());
        self.return_values = if fails_with_item {
            let others = values.filter(|values| *values != none && *values != all_old);
            others.into_iter().chain([all_old]).collect()
        } else {
            values.or_else(|| word(on_failure)).into_iter().collect()
        };
        self
    }

    pub(super) const fn capacity(mut self, given: Option<&'static str>) -> Self {
        self.return_consumed_capacity = given;
        self
    }

    pub(super) const fn within(mut self, operation: &'static str) -> Self {
        self.enclosing_operation = Some(operation);
        self
    }
}
