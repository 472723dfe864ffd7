//! The requests of ways from a row to others.

use super::known::{Known, Origin};
use super::request::{Operation, PlannedRequest, PlannedValue, Purpose, Remark, Repeat};
use super::ways::{read, read_of};
use super::{Answers, Lister};
use crate::model::EntityId;
use crate::plan::key_text::KeyText;
use crate::plan::reach::{Link, Reach};
use crate::plan::route::{BackRoute, GuardKey, GuardPlan};
use crate::plan::shape::{Follow, FollowedReference};

impl<'p> Lister<'p> {
    /// Adds the requests for a guard and for the row that it belongs to.
    pub(super) fn add_guarded(
        &mut self,
        owner: EntityId,
        claim: usize,
        known: &Known,
        operation: Operation,
        repeat: &Repeat,
    ) -> Answers {
        let plans = self.plans;
        let plan = plans
            .entity(owner)
            .guards
            .get(claim)
            .and_then(Option::as_ref);
        let (Some(plan), Some(key)) = (plan, plans.entity(owner).primary()) else {
            return Vec::new();
        };
        let Some(guard) = self.add_guard(plan, known, operation, repeat) else {
            return Vec::new();
        };
        let mut found = known.clone();
        for told in &plan.tells {
            found.set(&told.name, read_of(&[guard], &told.held_as));
        }
        let table = &key.at.table_name;
        let mut request = PlannedRequest::new(operation, table, Purpose::Owner(owner));
        let mut values = self.whole_key(key, &found);
        if let (Some(held_as), Some(sort)) = (&plan.sort_key, &key.at.sort_attribute) {
            values.retain(|value| value.name != *sort);
            values.push(PlannedValue::text(sort, read(guard, held_as)));
        }
        request.keys = vec![values];
        request.consistent = true;
        request.repeat = repeat.clone();
        vec![self.push(request)]
    }

    fn add_guard(
        &mut self,
        plan: &GuardPlan,
        known: &Known,
        operation: Operation,
        repeat: &Repeat,
    ) -> Option<usize> {
        let plans = self.plans;
        let (key, known, purpose) = match &plan.guard {
            GuardKey::Row(key) => {
                let purpose = Purpose::Guard(plan.claim.clone());
                (key.as_ref(), known.clone(), purpose)
            }
            GuardKey::Entity { entity, set } => (
                plans.entity(*entity).primary()?,
                known.with_set(set),
                Purpose::UniqueRow(plan.claim.clone()),
            ),
        };
        let mut request = PlannedRequest::new(operation, &key.at.table_name, purpose);
        request.keys = vec![self.whole_key(key, &known)];
        request.consistent = true;
        request.repeat = repeat.clone();
        Some(self.push(request))
    }

    /// Adds the requests for rows that lead on from where a walk is.
    pub(super) fn add_links(&mut self, link: &Link) -> Answers {
        let back = &link.back;
        let current = |attribute: &str| Origin::Current(format!("current: {attribute}"));
        let known = Known::of_given(&back.given, current);
        if let Some((entity, claim)) = back.guard {
            let operation = Operation::BatchGetItem;
            return self.add_guarded(entity, claim, &known, operation, &Repeat::EachCurrent);
        }
        let mut rows = Vec::new();
        for key in &back.old_layouts {
            let mut request = self.lookup(key, &known, Purpose::OldLinks(back.entity));
            request.repeat = Repeat::EachCurrent;
            rows.push(self.push(request));
        }
        let Some(mut request) = self.links(link, &known) else {
            self.remark(Remark::Unreachable(back.entity));
            return rows;
        };
        // An index that is asked for rows of other layouts shows these, too.
        let asked = |number: &usize| self.listing.requests.get(*number - 1);
        let is_asked = |number: &usize| {
            let index = asked(number).and_then(|known| known.index.as_ref());
            index.is_some() && index == request.index.as_ref()
        };
        if rows.iter().any(is_asked) {
            return rows;
        }
        request.repeat = Repeat::EachCurrent;
        rows.push(self.push(request));
        rows
    }

    /// The request for linking rows: by their own keys, or else by the pattern that the reference names.
    fn links(&self, link: &Link, known: &Known) -> Option<PlannedRequest> {
        let back = &link.back;
        let purpose = Purpose::Links {
            entity: back.entity,
            end: link.end.clone(),
        };
        match self.find_key(back.entity, &back.attribute, known) {
            Some(key) => Some(self.lookup(key, known, purpose)),
            None => self.lookup_by_pattern(back, known, purpose),
        }
    }

    /// The first key by which rows are found of which this is known.
    fn find_key(&self, entity: EntityId, by: &str, known: &Known) -> Option<&'p KeyText> {
        let mut keys = self.plans.entity(entity).candidates(by);
        keys.find(|key| known.fills_all(key.partition_parts()))
    }

    /// A request for the rows whose key begins as far as it is known.
    fn lookup(&self, key: &KeyText, known: &Known, purpose: Purpose) -> PlannedRequest {
        let is_primary = key.at.index().is_none();
        let is_whole = key.sort.as_ref().is_none_or(|sort| known.fills_all(sort));
        if is_primary && is_whole {
            let mut request =
                PlannedRequest::new(Operation::BatchGetItem, &key.at.table_name, purpose);
            request.keys = vec![self.whole_key(key, known)];
            request.consistent = true;
            return request;
        }
        let mut request = PlannedRequest::new(Operation::Query, &key.at.table_name, purpose);
        self.add_beginning_of(&mut request, key, known);
        request.consistent = is_primary;
        request
    }

    /// A request by the pattern that a reference names.
    fn lookup_by_pattern(
        &self,
        back: &BackRoute,
        known: &Known,
        purpose: Purpose,
    ) -> Option<PlannedRequest> {
        let Reach::Query(step) = &self.plans.pattern(back.via?).reach else {
            return None;
        };
        let mut request = PlannedRequest::new(Operation::Query, &step.key.at.table_name, purpose);
        self.add_condition(&mut request, &step.key, known);
        request.variants.clear();
        request.consistent = step.key.at.index().is_none();
        Some(request)
    }

    /// Adds the requests for rows that a reference of the pattern's rows names.
    pub(super) fn add_followed(&mut self, follow: &Follow, rows: &[usize]) {
        let mut done: Vec<EntityId> = Vec::new();
        for reference in &follow.references {
            if !done.contains(&reference.to.entity) {
                done.push(reference.to.entity);
                self.add_reference(follow, reference, rows);
            }
        }
    }

    /// What rows tell of the key of the row that a reference names; none if that is not enough. A row may have attributes that
    /// the model does not name, but nothing is known of them here.
    fn told_key(
        &self,
        follow: &Follow,
        reference: &FollowedReference,
        rows: &[usize],
    ) -> Option<Known> {
        let declared = &self.plans.entity(reference.source).attributes;
        let given = reference.to.key.as_ref()?.iter();
        let given: Vec<_> = given
            .filter(|given| declared.contains(&given.from) || given.from == follow.attribute)
            .cloned()
            .collect();
        let known = Known::of_given(&given, |attribute| read_of(rows, attribute));
        let key = self.plans.entity(reference.to.entity).primary()?;
        known.fills(key.parts()).then_some(known)
    }

    fn add_reference(&mut self, follow: &Follow, reference: &FollowedReference, rows: &[usize]) {
        let plans = self.plans;
        let route = &reference.to;
        let entity = plans.entity(route.entity);
        let repeat = Repeat::EachRow { of: rows.to_vec() };
        let purpose = Purpose::Followed {
            entity: route.entity,
            attribute: follow.attribute.clone(),
            many: reference.many,
        };
        let told = self.told_key(follow, reference, rows);
        if let (Some(known), Some(key)) = (told, entity.primary()) {
            let table = &key.at.table_name;
            let mut request = PlannedRequest::new(Operation::BatchGetItem, table, purpose);
            request.keys = vec![self.whole_key(key, &known)];
            request.consistent = self.consistent;
            request.repeat = repeat;
            self.push(request);
            return;
        }
        let Some(id) = &route.id else {
            return;
        };
        let mut known = Known::default();
        known.set(id, read_of(rows, &follow.attribute));
        if let Some(claim) = route.guard {
            self.remark(Remark::Unguarded(route.entity));
            self.add_guarded(
                route.entity,
                claim,
                &known,
                Operation::BatchGetItem,
                &repeat,
            );
            return;
        }
        let mut beside = known.clone();
        for name in &plans.entity(reference.source).attributes {
            if name != id && entity.primary().is_some_and(|key| key.uses(name)) {
                beside.set(name, read_of(rows, name));
            }
        }
        // Values of the same name may belong to something else; the id alone is certain to be meant.
        let found = [&known, &beside]
            .into_iter()
            .find_map(|known| Some((self.find_key(route.entity, id, known)?, known)));
        match found {
            Some((key, known)) => {
                let mut request = self.lookup(key, known, purpose);
                request.repeat = repeat;
                self.push(request);
            }
            None => self.remark(Remark::Unreachable(route.entity)),
        }
    }
}
