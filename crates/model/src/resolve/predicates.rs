//! Predicates: their paths exist, and what they compare can be compared.

use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Attribute, CheckRule, EntityId, Kind, Model, Predicate, Way};
use crate::shape::Vocabulary;
use crate::suggest::did_you_mean;
use monotable_expr::predicate::{Comparison, Measure, Path, Relation, Root};
use monotable_expr::tree::PathStep;
use monotable_item::ValueView;

/// Reports predicates that speak of nothing.
pub(super) fn check(model: &Model, findings: &mut Findings) {
    let checker = Checker {
        model,
        vocabulary: Vocabulary::of_names(model),
    };
    for (predicate, entities) in all(model) {
        checker.predicate(predicate, &entities, findings);
    }
}

/// Every predicate with the entities whose rows it is about.
fn all(model: &Model) -> Vec<(&Predicate, Vec<EntityId>)> {
    let mut all: Vec<(&Predicate, Vec<EntityId>)> = Vec::new();
    // What entities share is checked in each of them: it may speak of attributes that only they have.
    for (id, entity) in model.stored() {
        let families = entity.families.iter().map(|family| &family.attribute);
        for attribute in entity.attributes.iter().chain(families) {
            all.extend(
                attribute
                    .presence
                    .required_if
                    .iter()
                    .map(|predicate| (predicate, vec![id])),
            );
            all.extend(
                attribute
                    .presence
                    .only_if
                    .iter()
                    .map(|predicate| (predicate, vec![id])),
            );
            if let Some(reference) = &attribute.reference {
                all.extend(
                    reference
                        .filter
                        .iter()
                        .map(|predicate| (predicate, vec![reference.target])),
                );
            }
        }
        all.extend(
            entity
                .keys
                .iter()
                .filter_map(|key| key.when.as_ref())
                .map(|when| (when, vec![id])),
        );
        let allow = &entity.allow;
        let allowed = [
            &allow.read,
            &allow.create,
            &allow.update,
            &allow.delete,
            &allow.cascade,
        ];
        all.extend(
            allowed
                .into_iter()
                .flatten()
                .map(|predicate| (predicate, vec![id])),
        );
        all.extend(entity.must.iter().map(|must| (&must.predicate, vec![id])));
        all.extend(
            entity
                .upgrades
                .iter()
                .filter_map(|upgrade| upgrade.when.as_ref())
                .map(|when| (when, Vec::new())),
        );
        all.extend(
            entity
                .claims
                .iter()
                .filter_map(|claim| claim.when.as_ref())
                .map(|when| (when, vec![id])),
        );
    }
    all.extend(
        model
            .derives
            .iter()
            .filter_map(|derive| Some((derive.when.as_ref()?, vec![derive.of]))),
    );
    for check in &model.checks {
        all.extend(check.when.iter().map(|when| (when, vec![check.of])));
        if let CheckRule::Must(must) = &check.demand {
            all.push((must, vec![check.of]));
        }
    }
    all.extend(
        model
            .grants
            .iter()
            .filter_map(|grant| Some((grant.unless.as_ref()?, grant.of.clone()))),
    );
    all.extend(
        model
            .carries
            .iter()
            .filter_map(|carry| Some((carry.when.as_ref()?, vec![carry.of]))),
    );
    for access in &model.access {
        all.extend(
            access
                .filter
                .iter()
                .map(|filter| (filter, access.returns.clone())),
        );
        if let Way::Walk(walks) = &access.way {
            all.extend(
                walks
                    .iter()
                    .filter_map(|walk| Some((walk.filter.as_ref()?, vec![walk.entity]))),
            );
        }
    }
    all
}

struct Checker<'m> {
    model: &'m Model,
    vocabulary: Vocabulary<'m>,
}

impl Checker<'_> {
    fn predicate(&self, predicate: &Predicate, entities: &[EntityId], findings: &mut Findings) {
        for path in predicate.parsed().paths() {
            // Without entities the row has a shape the model no longer knows.
            if !entities.is_empty() || path.root().is_some() {
                self.path(predicate, path, entities, findings);
            }
        }
        for comparison in predicate.parsed().comparisons() {
            self.comparison(predicate, &comparison, entities, findings);
        }
    }

    /// The attribute that a path leads to. Some(None): it exists, but its kind is not known.
    fn attribute(&self, path: &Path, entities: &[EntityId]) -> Option<Option<&Attribute>> {
        let names: Vec<&str> = path
            .steps()
            .iter()
            .map_while(|step| match step {
                PathStep::Name(name) => Some(name.as_str()),
                PathStep::Index(_) => None,
            })
            .collect();
        let first = *names.first()?;
        let named = |attributes: &'_ [Attribute]| {
            attributes
                .iter()
                .any(|attribute| attribute.name.value == first)
        };
        match path.root() {
            Some(Root::Now | Root::Param) => Some(None),
            Some(Root::Principal) => named(&self.model.principal).then_some(None),
            Some(Root::Setting) => {
                let setting = self
                    .model
                    .settings
                    .iter()
                    .find(|setting| setting.name.value == first)?;
                Some(Some(setting))
            }
            Some(Root::Tenant) => self
                .model
                .tenant
                .as_ref()
                .filter(|tenant| tenant.attribute.name.value == first)
                .map(|_| None),
            None | Some(Root::Old | Root::New) => {
                for id in entities {
                    if let Some(attribute) = self.vocabulary.follow(id.index(), None, &names) {
                        return Some(Some(attribute));
                    }
                    let entity = self.model.entity(*id);
                    let inside = entity.attribute(first).is_some_and(|attribute| {
                        matches!(
                            attribute.kind,
                            Kind::Map | Kind::Any | Kind::Json | Kind::List { .. }
                        ) && attribute.reference.is_none()
                    });
                    if inside
                        || entity.family(first).is_some()
                        || (entity.open && entity.attribute(first).is_none())
                    {
                        return Some(None);
                    }
                }
                None
            }
        }
    }

    fn path(
        &self,
        predicate: &Predicate,
        path: &Path,
        entities: &[EntityId],
        findings: &mut Findings,
    ) {
        if path.is_now() || self.attribute(path, entities).is_some() {
            return;
        }
        let span = predicate.place(path.span());
        let (what, known): (String, Vec<&str>) = match path.root() {
            Some(Root::Principal) => ("the principal".to_owned(), names(&self.model.principal)),
            Some(Root::Setting) => (
                "the model's settings".to_owned(),
                names(&self.model.settings),
            ),
            Some(Root::Tenant) => ("the tenant".to_owned(), Vec::new()),
            _ => {
                let entity = entities.first().map(|id| self.model.entity(*id));
                let name =
                    entity.map_or_else(String::new, |entity| format!("`{}`", entity.name.value));
                (
                    name,
                    entity
                        .map(|entity| names(&entity.attributes))
                        .unwrap_or_default(),
                )
            }
        };
        let message = format!("{what} has no `{path}`");
        let help = path.first_name().and_then(|name| did_you_mean(name, known));
        findings.push(Diagnostic::new(Code::UnknownName, span, message).help_if(help));
    }

    fn comparison(
        &self,
        predicate: &Predicate,
        comparison: &Comparison<'_>,
        entities: &[EntityId],
        findings: &mut Findings,
    ) {
        let Some(Some(attribute)) = self.attribute(comparison.path, entities) else {
            return;
        };
        let exact = matches!(
            comparison.relation,
            Relation::Compare(_) | Relation::In | Relation::Between
        );
        if comparison.measure == Measure::Size || !exact {
            return;
        }
        for literal in &comparison.literals {
            if let Some(problem) = mismatch(attribute, literal.value()) {
                let span = predicate.place(literal.span());
                findings.push(problem.at(span));
            }
        }
    }
}

fn names(attributes: &[Attribute]) -> Vec<&str> {
    attributes
        .iter()
        .map(|attribute| attribute.name.value.as_str())
        .collect()
}

/// Why a literal can never equal an attribute.
struct Mismatch {
    message: String,
    help: Option<String>,
}

impl Mismatch {
    fn at(self, span: crate::span::Span) -> Diagnostic {
        Diagnostic::new(Code::BadPredicate, span, self.message).help_if(self.help)
    }
}

fn mismatch(attribute: &Attribute, literal: ValueView<'_>) -> Option<Mismatch> {
    let name = &attribute.name.value;
    match (&attribute.kind, literal) {
        (Kind::Enum(words), ValueView::S(text)) => {
            let spellings = || {
                words
                    .iter()
                    .flat_map(|word| std::iter::once(&word.word).chain(&word.aliases))
            };
            if spellings().any(|word| word == text) {
                return None;
            }
            let help = did_you_mean(text, spellings().map(String::as_str));
            Some(Mismatch {
                message: format!("`{name}` is never '{text}'"),
                help: help.or_else(|| Some(format!("it is {}", attribute.kind))),
            })
        }
        (Kind::Any | Kind::Map | Kind::Json | Kind::List { .. }, _) => None,
        (kind, ValueView::N(_)) if kind.is_number() => None,
        (kind, ValueView::S(_))
            if !kind.is_number() && !matches!(kind, Kind::Boolean | Kind::Binary) =>
        {
            None
        }
        (Kind::Boolean, ValueView::Bool(_)) => None,
        (kind, _) => Some(Mismatch {
            message: format!("`{name}` is {kind}; this literal never equals it"),
            help: None,
        }),
    }
}
