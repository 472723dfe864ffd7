//! Templates: everything they show exists.

use super::access::unknown_attribute;
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{
    Assigned, Assignment, Default, Demand, EntityId, Field, Format, Guard, Kind, Model, MoveKind,
    Root, Source, Template, Way,
};
use crate::shape::Vocabulary;
use crate::span::Name;
use crate::suggest::did_you_mean;

/// What `{request.x}` can be.
const REQUEST: &[&str] = &["operation", "status", "changes", "ip", "source", "entity"];

/// Where a template stands: whose attributes it shows, and what else.
#[derive(Clone, Copy)]
struct Place<'p> {
    entities: &'p [EntityId],
    /// Names that something else gives: elements of `each`, parameters.
    given: &'p [String],
    /// `{request.x}` and `{archive.x.PK}`.
    audited: bool,
    /// `{row.x}`.
    moved: bool,
}

impl<'p> Place<'p> {
    const fn of(entities: &'p [EntityId]) -> Self {
        Self {
            entities,
            given: &[],
            audited: false,
            moved: false,
        }
    }
}

/// Reports what no template can show.
pub(super) fn check(model: &Model, findings: &mut Findings) {
    let checker = Checker {
        model,
        vocabulary: Vocabulary::of_names(model),
    };
    checker.entities(findings);
    checker.access(findings);
    checker.sections(findings);
    checker.tenancy(findings);
}

/// Whether a name is one of the model's archives; used where audits point to them.
fn archive_exists(model: &Model, name: &str) -> bool {
    model
        .archives
        .iter()
        .any(|archive| archive.name.value == name)
}

struct Checker<'m> {
    model: &'m Model,
    vocabulary: Vocabulary<'m>,
}

impl Checker<'_> {
    fn entities(&self, findings: &mut Findings) {
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

    fn access(&self, findings: &mut Findings) {
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

    fn sections(&self, findings: &mut Findings) {
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
                Demand::Must(_) => {}
                Demand::Absent(pattern) => self.parameters(&check.set, *pattern, findings),
                Demand::Among {
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

    /// What concerns the model as a whole.
    fn tenancy(&self, findings: &mut Findings) {
        for template in self
            .model
            .isolation
            .iter()
            .flat_map(|isolation| &isolation.partitions)
        {
            for source in template.fields().flat_map(|field| &field.sources) {
                match source {
                    Source::Path {
                        root: Some(Root::Principal),
                        names,
                        ..
                    } if names.len() == 1 => {
                        if let Some(name) = names.first() {
                            self.known(
                                name,
                                "attribute of the principal",
                                &self.model.principal,
                                findings,
                            );
                        }
                    }
                    Source::Path { span, .. } | Source::Nothing(span) => {
                        findings.error(
                            Code::UnknownName,
                            *span,
                            "a partition is told by what is known of the caller: `{principal.x}`",
                        );
                    }
                    Source::Literal(_) => {}
                }
            }
        }
        if let Some(tenant) = self
            .model
            .tenant
            .as_ref()
            .filter(|tenant| tenant.prefix.is_constant())
        {
            findings.error(
                Code::BadTemplate,
                tenant.prefix.span,
                "the prefix does not show the tenant's id: all tenants would be one",
            );
        }
        if let Some(layout) = &self.model.layout {
            let has = |entity: &crate::model::Entity| {
                entity
                    .layouts
                    .iter()
                    .any(|own| own.name.value == layout.value)
            };
            if !self.model.entities.iter().any(has) {
                findings.error(
                    Code::UnknownName,
                    layout.span,
                    format!("no entity has a layout `{}`", layout.value),
                );
            }
        }
        for (position, table) in self.model.tables.iter().enumerate() {
            let Some(ttl) = &table.ttl else { continue };
            let in_table = |entity: &&crate::model::Entity| {
                entity.table.index() == position
                    || entity
                        .layouts
                        .iter()
                        .any(|layout| layout.table.index() == position)
            };
            let has = |entity: &crate::model::Entity| {
                entity.attributes.iter().any(|attribute| {
                    attribute.stored == ttl.value && matches!(attribute.kind, Kind::Epoch)
                })
            };
            if !self.model.entities.iter().filter(in_table).any(has) {
                let message = format!(
                    "no entity of `{}` has an attribute `{}` of type `epoch`",
                    table.name.value, ttl.value
                );
                findings.error(Code::UnknownName, ttl.span, message);
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

    /// Assignments to attributes of `target`, with values shown at `place`.
    fn assignments(
        &self,
        set: &[Assignment],
        target: EntityId,
        place: Place<'_>,
        findings: &mut Findings,
    ) {
        let entity = self.model.entity(target);
        for assignment in set {
            let name = &assignment.name;
            let known = entity.attribute(&name.value).is_some()
                || entity.family(&name.value).is_some()
                || entity.open;
            if !known {
                unknown_attribute(entity, name, findings);
            }
            self.assigned(&assignment.value, place, findings);
        }
    }

    fn assigned(&self, value: &Assigned, place: Place<'_>, findings: &mut Findings) {
        if let Assigned::Template(template) = value {
            self.template(template, place, findings);
        }
    }

    fn template(&self, template: &Template, place: Place<'_>, findings: &mut Findings) {
        for field in template.fields() {
            for source in &field.sources {
                if let Source::Path { root, names, span } = source {
                    let names: Vec<_> = names.iter().collect();
                    self.path(*root, &names, *span, place, findings);
                }
            }
            self.formats(field, place, findings);
        }
    }

    fn path(
        &self,
        root: Option<Root>,
        names: &[&Name],
        span: crate::span::Span,
        place: Place<'_>,
        findings: &mut Findings,
    ) {
        let Some(first) = names.first() else { return };
        let problem = |message: String| Diagnostic::new(Code::UnknownName, span, message);
        match root {
            None | Some(Root::Old) => self.row_path(names, first, place, findings),
            Some(Root::Setting) => self.known(first, "setting", &self.model.settings, findings),
            Some(Root::Principal) => self.known(
                first,
                "attribute of the principal",
                &self.model.principal,
                findings,
            ),
            Some(Root::Tenant) => {
                let tenant = self.model.tenant.as_ref();
                let known = tenant.is_some_and(|tenant| {
                    first.value == "prefix" || tenant.attribute.name.value == first.value
                });
                if !known {
                    findings.push(problem(format!("the tenant has no `{}`", first.value)));
                }
            }
            Some(Root::Row) if place.moved => {}
            Some(Root::Row) => findings.push(problem(
                "only what a move carries along has `row`: the keys it had".to_owned(),
            )),
            Some(Root::Request) if place.audited => {
                if !REQUEST.contains(&first.value.as_str()) {
                    let help = did_you_mean(&first.value, REQUEST.iter().copied());
                    findings
                        .push(problem(format!("a request has no `{}`", first.value)).help_if(help));
                }
            }
            Some(Root::Archive) if place.audited => {
                if !archive_exists(self.model, &first.value) {
                    findings.push(problem(format!("there is no archive `{}`", first.value)));
                }
            }
            Some(Root::Request | Root::Archive) => {
                findings.push(problem(
                    "only an audit knows the request and what was archived".to_owned(),
                ));
            }
            Some(Root::Now) => {}
        }
    }

    fn row_path(&self, names: &[&Name], first: &Name, place: Place<'_>, findings: &mut Findings) {
        if place
            .given
            .iter()
            .any(|given| *given == first.value || given == "*")
        {
            return;
        }
        let table_key = |id: &EntityId| {
            self.model
                .table(self.model.entity(*id).table)
                .is_key(&first.value)
        };
        if place.entities.iter().any(table_key) {
            return;
        }
        let path: Vec<_> = names.iter().map(|name| name.value.as_str()).collect();
        let found = |id: &EntityId| self.vocabulary.follow(id.index(), None, &path).is_some();
        if place.entities.iter().any(found) {
            return;
        }
        // The deepest name that is wrong is the one to report.
        let Some(id) = place.entities.first() else {
            return;
        };
        let mut entity = self.model.entity(*id);
        for name in names {
            match entity.attribute(&name.value) {
                None => return unknown_attribute(entity, name, findings),
                Some(attribute) => match &attribute.reference {
                    Some(reference) => entity = self.model.entity(reference.target),
                    None => {
                        let message = format!(
                            "`{}` is no reference; there is nothing behind it",
                            name.value
                        );
                        return findings.error(Code::UnknownName, name.span, message);
                    }
                },
            }
        }
    }

    fn known(
        &self,
        name: &Name,
        what: &str,
        attributes: &[crate::model::Attribute],
        findings: &mut Findings,
    ) {
        if attributes
            .iter()
            .any(|attribute| attribute.name.value == name.value)
        {
            return;
        }
        let known = attributes
            .iter()
            .map(|attribute| attribute.name.value.as_str());
        let message = format!("there is no {what} `{}`", name.value);
        let help = did_you_mean(&name.value, known);
        findings.push(Diagnostic::new(Code::UnknownName, name.span, message).help_if(help));
    }

    /// A format must suit what it is given.
    fn formats(&self, field: &Field, place: Place<'_>, findings: &mut Findings) {
        let Some(Source::Path { root, names, .. }) = field.sources.first() else {
            return;
        };
        let path: Vec<_> = names.iter().map(|name| name.value.as_str()).collect();
        let kinds = place
            .entities
            .iter()
            .filter_map(|id| self.vocabulary.follow(id.index(), *root, &path));
        let Some(kind) = kinds.map(|attribute| &attribute.kind).next() else {
            return;
        };
        for format in &field.formats {
            let suits = match &format.value {
                Format::Date | Format::Time(_) => {
                    kind.is_time() || matches!(kind, Kind::Any | Kind::Text(_))
                }
                Format::Next => matches!(kind, Kind::Date | Kind::Timestamp(_)),
                Format::Pad(_) => matches!(kind, Kind::Integer(_) | Kind::Any),
                Format::Sort | Format::Join(_) => matches!(kind, Kind::List { .. } | Kind::Any),
                Format::Trim(_)
                | Format::Lower
                | Format::Upper
                | Format::Nfkc
                | Format::E164
                | Format::Mask { .. }
                | Format::Sha256
                | Format::Fit(_)
                | Format::Shard(_) => true,
            };
            if !suits {
                let message = format!(
                    "`{}` is for another kind of value: `{}` is {kind}",
                    format.value,
                    field.name()
                );
                findings.error(Code::BadTemplate, format.span, message);
            }
        }
        self.padding(field, kind, findings);
    }

    fn padding(&self, field: &Field, kind: &Kind, findings: &mut Findings) {
        let width = field.formats.iter().find_map(|format| match format.value {
            Format::Pad(width) => Some((width, format.span)),
            _ => None,
        });
        let (Some((width, span)), Kind::Integer(bounds)) = (width, kind) else {
            return;
        };
        if bounds.least.is_none_or(|least| least < 0) {
            let message = format!(
                "`{}` may be negative; only numbers from 0 can be padded",
                field.name()
            );
            findings.push(
                Diagnostic::new(Code::BadTemplate, span, message)
                    .help("give it a range: `integer(0..)`"),
            );
        }
        if bounds
            .most
            .is_some_and(|most| most.to_string().len() > width)
        {
            let message = format!("`{}` may have more than {width} digits", field.name());
            findings.error(Code::BadTemplate, span, message);
        }
    }
}
