//! The templates of entities, and what clauses name.

use super::super::access::unknown_attribute;
use super::{Checker, Place};
use crate::diagnostic::{Code, Findings};
use crate::model::{Default, EntityId, Guard, Kind, MoveKind};
use crate::span::Name;

impl Checker<'_> {
    pub(super) fn entities(&self, findings: &mut Findings) {
        // What entities share is checked in each of them: it may speak of attributes that only they have.
        for (id, entity) in self.model.stored() {
            let own = [id];
            let mut place = Place::of(&own);
            place.moved = self.model.moves.iter().any(|movement| {
                matches!(&movement.kind, MoveKind::To { rest: Some(rest), .. } if *rest == id)
            });
            let layouts = entity.layouts.iter().flat_map(|layout| &layout.keys);
            for key in entity.keys.iter().chain(layouts).filter(|key| !key.implied) {
                for template in key.templates() {
                    self.template(template, place, findings);
                }
            }
            for attribute in &entity.attributes {
                if let Some(template) = &attribute.computed {
                    self.template(template, place, findings);
                }
                if let Some(Default::Template(template)) = &attribute.default {
                    self.template(template, place, findings);
                }
                self.attribute_names(id, attribute, findings);
            }
            if let Some(relation) = &entity.relation {
                self.relation(id, relation, findings);
            }
            self.assignments(&entity.tombstone, id, place, findings);
            for upgrade in &entity.upgrades {
                self.assignments(&upgrade.set, id, place, findings);
            }
            for claim in &entity.claims {
                match &claim.guard {
                    Guard::Row { key, .. } => key
                        .templates()
                        .for_each(|template| self.template(template, place, findings)),
                    Guard::Entity {
                        entity: target,
                        set,
                        also,
                        ..
                    } => {
                        self.assignments(set, *target, place, findings);
                        also.iter()
                            .for_each(|set| self.assignments(set, *target, place, findings));
                    }
                    Guard::Snapshot => {}
                }
            }
        }
    }

    /// Other attributes that an attribute's clauses name.
    fn attribute_names(
        &self,
        id: EntityId,
        attribute: &crate::model::Attribute,
        findings: &mut Findings,
    ) {
        let entity = self.model.entity(id);
        let own = |name: &Name, findings: &mut Findings| {
            if entity.attribute(&name.value).is_none() {
                unknown_attribute(entity, name, findings);
            }
        };
        if let Some(name) = &attribute.position {
            own(name, findings);
        }
        if let Some((reference, counter)) = &attribute.numbered {
            self.counter(id, reference, counter, findings);
        }
        if let Some(reference) = &attribute.reference {
            let target = self.model.entity(reference.target);
            if let Some(same) = &reference.same {
                own(same, findings);
                if target.attribute(&same.value).is_none() {
                    unknown_attribute(target, same, findings);
                }
            }
            if let Some(counted) = &reference.counted {
                self.number(target, counted, findings);
            }
        }
    }

    /// The two ends of a relation and its counter exist.
    fn relation(&self, id: EntityId, relation: &crate::model::Relation, findings: &mut Findings) {
        let entity = self.model.entity(id);
        for end in [&relation.from, &relation.to] {
            let attribute = entity.attribute(&end.value);
            if attribute.is_none_or(|attribute| attribute.reference.is_none()) {
                let message = format!("`{}` has no reference `{}`", entity.name.value, end.value);
                findings.error(Code::UnknownName, end.span, message);
            }
        }
        if let Some((reference, counter)) = &relation.serial {
            self.counter(id, reference, counter, findings);
        }
    }

    fn counter(&self, id: EntityId, reference: &Name, counter: &Name, findings: &mut Findings) {
        let entity = self.model.entity(id);
        let attribute = entity.attribute(&reference.value);
        match attribute.and_then(|attribute| attribute.reference.as_ref()) {
            Some(found) => self.number(self.model.entity(found.target), counter, findings),
            None => {
                let message = format!(
                    "`{}` has no reference `{}`",
                    entity.name.value, reference.value
                );
                findings.error(Code::UnknownName, reference.span, message);
            }
        }
    }

    fn number(&self, entity: &crate::model::Entity, name: &Name, findings: &mut Findings) {
        match entity.attribute(&name.value) {
            None => unknown_attribute(entity, name, findings),
            Some(attribute) if !matches!(attribute.kind, Kind::Integer(_)) => {
                let message = format!("`{}` counts, so it is an integer", name.value);
                findings.error(Code::Contradiction, name.span, message);
            }
            Some(_) => {}
        }
    }
}
