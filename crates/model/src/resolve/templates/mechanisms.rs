//! The templates of patterns and of the mechanisms that write rows.

use super::super::access::unknown_attribute;
use super::{Checker, Place};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Assignment, CheckRule, EntityId, MoveKind, Way};
use crate::suggest::did_you_mean;

impl Checker<'_> {
    pub(super) fn access(&self, findings: &mut Findings) {
        for access in &self.model.access {
            let place = Place::of(&access.returns);
            match &access.way {
                Way::Get { key, .. } | Way::Query { key, .. } => {
                    key.templates()
                        .for_each(|template| self.template(template, place, findings));
                }
                Way::Union(patterns) | Way::Steps(patterns) => {
                    let parts: Vec<_> = patterns.iter().map(|id| self.model.pattern(*id)).collect();
                    let mut rows: Vec<_> =
                        parts.iter().flat_map(|part| part.returns.clone()).collect();
                    rows.dedup();
                    let given: Vec<_> = access
                        .parameters
                        .iter()
                        .map(|parameter| parameter.name.clone())
                        .collect();
                    let place = Place {
                        given: &given,
                        ..Place::of(&rows)
                    };
                    for assignment in &access.set {
                        let known = parts
                            .iter()
                            .flat_map(|part| &part.parameters)
                            .any(|parameter| parameter.name == assignment.name.value);
                        if !known {
                            let message = format!(
                                "none of these patterns has a parameter `{}`",
                                assignment.name.value
                            );
                            findings.error(Code::UnknownName, assignment.name.span, message);
                        }
                        self.assigned(&assignment.value, place, findings);
                    }
                }
                Way::Through { .. }
                | Way::Walk(_)
                | Way::Resolve(_)
                | Way::Diff(_)
                | Way::Pointer { .. } => {}
            }
        }
    }

    pub(super) fn sections(&self, findings: &mut Findings) {
        for derive in &self.model.derives {
            let own = [derive.of];
            let given: Vec<_> = derive
                .each
                .iter()
                .map(|each| each.variable.value.clone())
                .collect();
            let place = Place {
                given: &given,
                ..Place::of(&own)
            };
            self.assignments(&derive.set, derive.entity, place, findings);
            self.each(derive.of, &derive.each, findings);
        }
        for (id, entity) in self.model.entities() {
            self.each(id, &entity.each, findings);
        }
        for check in &self.model.checks {
            let own = [check.of];
            match &check.demand {
                CheckRule::Must(_) => {}
                CheckRule::Absent(pattern) => self.parameters(&check.set, *pattern, findings),
                CheckRule::Among {
                    value,
                    pattern,
                    attribute,
                    ..
                } => {
                    self.parameters(&check.set, *pattern, findings);
                    if self
                        .model
                        .entity(check.of)
                        .attribute(&value.value)
                        .is_none()
                    {
                        unknown_attribute(self.model.entity(check.of), value, findings);
                    }
                    let returned = &self.model.pattern(*pattern).returns;
                    let known = returned
                        .iter()
                        .any(|id| self.model.entity(*id).attribute(&attribute.value).is_some());
                    if let (false, Some(id)) = (known, returned.first()) {
                        unknown_attribute(self.model.entity(*id), attribute, findings);
                    }
                }
            }
            check
                .set
                .iter()
                .for_each(|assignment| self.assigned(&assignment.value, Place::of(&own), findings));
        }
        for grant in &self.model.grants {
            self.parameters(&grant.set, grant.access, findings);
            let granted = &self.model.pattern(grant.access).returns;
            self.template(
                &grant.allows,
                Place {
                    given: &["*".to_owned()],
                    ..Place::of(granted)
                },
                findings,
            );
            grant.set.iter().for_each(|assignment| {
                self.assigned(&assignment.value, Place::of(&grant.of), findings)
            });
        }
        for movement in &self.model.moves {
            let own = [movement.of];
            let target = match &movement.kind {
                MoveKind::To { to, .. } => *to,
                MoveKind::Changes { changes, .. } => {
                    for name in changes {
                        if self
                            .model
                            .entity(movement.of)
                            .attribute(&name.value)
                            .is_none()
                        {
                            unknown_attribute(self.model.entity(movement.of), name, findings);
                        }
                    }
                    movement.of
                }
            };
            self.assignments(&movement.set, target, Place::of(&own), findings);
        }
        for carry in &self.model.carries {
            let own = [carry.of];
            carry
                .set
                .iter()
                .for_each(|assignment| self.assigned(&assignment.value, Place::of(&own), findings));
        }
        for archive in &self.model.archives {
            let own = [archive.of];
            let place = Place {
                moved: true,
                ..Place::of(&own)
            };
            self.assignments(&archive.set, archive.entity, place, findings);
            for name in archive.changed.iter().filter(|name| name.value != "*") {
                let entity = self.model.entity(archive.of);
                let is_family =
                    |prefix| entity.families.iter().any(|family| family.prefix == prefix);
                let known = name.value.strip_suffix('*').is_some_and(is_family)
                    || entity.attribute(&name.value).is_some();
                if !known {
                    unknown_attribute(entity, name, findings);
                }
            }
        }
        for audit in &self.model.audits {
            let place = Place {
                audited: true,
                ..Place::of(&audit.of)
            };
            self.assignments(&audit.set, audit.entity, place, findings);
        }
        for path in &self.model.paths {
            if self
                .model
                .entity(path.of)
                .attribute(&path.attribute.value)
                .is_none()
            {
                unknown_attribute(self.model.entity(path.of), &path.attribute, findings);
            }
        }
    }

    /// Parameters that a mechanism gives to its pattern.
    fn parameters(
        &self,
        set: &[Assignment],
        pattern: crate::model::AccessId,
        findings: &mut Findings,
    ) {
        let access = self.model.pattern(pattern);
        for assignment in set {
            let known = access
                .parameters
                .iter()
                .any(|parameter| parameter.name == assignment.name.value);
            if !known {
                let names = access
                    .parameters
                    .iter()
                    .map(|parameter| parameter.name.as_str());
                let message = format!(
                    "`{}` has no parameter `{}`",
                    access.name.value, assignment.name.value
                );
                let help = did_you_mean(&assignment.name.value, names);
                findings.push(
                    Diagnostic::new(Code::UnknownName, assignment.name.span, message).help_if(help),
                );
            }
        }
    }

    fn each(&self, of: EntityId, each: &[crate::model::Each], findings: &mut Findings) {
        let mut variables: Vec<&str> = Vec::new();
        for one in each {
            for list in &one.lists {
                let Some(first) = list.first() else { continue };
                let known = variables.contains(&first.value.as_str())
                    || self.model.entity(of).attribute(&first.value).is_some();
                if !known {
                    unknown_attribute(self.model.entity(of), first, findings);
                }
            }
            variables.push(&one.variable.value);
        }
    }
}
