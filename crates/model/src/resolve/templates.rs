//! Templates: everything they show exists.

mod entities;
mod mechanisms;
mod tenancy;

use super::access::unknown_attribute;
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{
    Assigned, Assignment, EntityId, Field, Format, Kind, Model, Root, Source, Template,
};
use crate::shape::Vocabulary;
use crate::span::Name;
use crate::suggest::{did_you_mean, nearest};

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
        let found = Diagnostic::new(Code::UnknownName, name.span, message);
        findings.push(found.did_you_mean(nearest(&name.value, known)));
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
                | Format::Nfc
                | Format::Nfd
                | Format::E164(_)
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
