//! Who may do what, by the plain words of docs/model.md: rules of both rows, and the rights that rows give.

use super::plain::Values;
use super::predicate::{Finding, Truth};
use super::state::{Owner, Row, State};
use super::template;
use monotable_model::model::{Default, Entity, OnDelete, Predicate, Root};

/// Somebody who calls.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) name: String,
    /// None: the program itself.
    pub(crate) principal: Option<Values>,
    /// None: no tenant is named.
    pub(crate) tenant: Option<String>,
    /// How many calls of each subject it makes; none: all.
    pub(crate) sample: Option<usize>,
}

/// What somebody wants to do with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    Read,
    Create,
    Update,
    Delete,
    /// It goes with a row that is deleted.
    CascadeDelete,
    /// It loses a reference to a row that is deleted.
    CascadeClear,
    /// It becomes a row of another entity.
    MoveAway,
}

/// Decides for one caller.
#[derive(Debug)]
pub(crate) struct Evaluator<'s> {
    pub(crate) state: &'s State<'s>,
    pub(crate) caller: &'s Caller,
    pub(crate) settings: &'s Values,
    /// New rows of the same transaction: rules see them too.
    pub(crate) written: Vec<Row>,
    /// Rows behind references are as if they were not there.
    pub(crate) is_alone: bool,
}

impl Evaluator<'_> {
    /// The id of the tenant that a call is of.
    pub(crate) fn tenant(&self) -> Option<&str> {
        let declared = self.state.model.tenant.as_ref()?;
        self.caller.tenant.as_deref().or(declared.bare.as_deref())
    }

    /// Whether a row is of the tenant's, or of everybody's.
    pub(crate) fn is_of_tenant(&self, row: &Row) -> bool {
        match &row.owner {
            Owner::Everybody => true,
            Owner::Tenant(id) => self.tenant() == Some(id.as_str()),
            Owner::Unsaid => {
                let entity = self.state.model.entity(row.entity);
                let owners: Vec<_> = references(entity)
                    .filter(|(_, on_delete)| *on_delete == OnDelete::Cascade)
                    .map(|(name, _)| self.referred(row, name))
                    .collect();
                !owners.is_empty() && owners.iter().all(Option::is_some)
            }
        }
    }

    /// Whether a row that all tenants share says that it is another's: only that one writes it.
    pub(crate) fn is_written_by_another(&self, row: &Row) -> bool {
        let entity = self.state.model.entity(row.entity);
        let mut attributes = entity.attributes.iter().filter(|attribute| {
            matches!(&attribute.default, Some(Default::Template(shown)) if shown.text.starts_with("{tenant."))
        });
        attributes.any(|attribute| {
            let said = row.values.get(&attribute.name.value);
            said.is_some_and(|said| said.as_str() != self.tenant())
        })
    }

    /// Whether a row exists for the caller.
    pub(crate) fn sees(&self, row: &Row) -> bool {
        self.is_of_tenant(row) && self.is_inside(row) && self.may(Right::Read, Some(row), Some(row))
    }

    /// Whether `[isolation]` gives the partition of a row to the caller. Templates of it begin with the caller's own key,
    /// and some let anything follow.
    fn is_inside(&self, row: &Row) -> bool {
        let (Some(isolation), Some(principal)) =
            (&self.state.model.isolation, &self.caller.principal)
        else {
            return true;
        };
        let find = |_: Option<Root>, name: &str| principal.get(name).cloned();
        isolation.partitions.iter().any(|known| {
            let own = template::render(known, &find);
            // A row that is only about to be written has no partition yet; what a call names is held against it before.
            row.place.1.is_empty()
                || own.is_some_and(|own| {
                    row.place.1 == own || known.open_end && row.place.1.starts_with(&own)
                })
        })
    }

    /// Whether the caller may make of the old row the new one: rules and grants, of both.
    pub(crate) fn may(&self, right: Right, old: Option<&Row>, new: Option<&Row>) -> bool {
        if self.caller.principal.is_none() {
            return true;
        }
        let sides = if right == Right::Read {
            vec![old]
        } else {
            vec![old, new]
        };
        let by_rules = sides.iter().enumerate().all(|(side, row)| {
            row.is_none_or(|row| {
                let entity = self.state.model.entity(row.entity);
                let rule = rule_of(entity, right, side == 0);
                rule.is_none_or(|rule| self.decide(rule, row, old, new) == Truth::True)
            })
        });
        let granted = granted_as(right);
        by_rules
            && sides.into_iter().flatten().all(|row| {
                let mut grants = self.state.model.grants.iter();
                grants.all(|grant| self.is_granted(grant, row, granted))
            })
    }

    /// Whether the caller may make of the old row the new one if nothing were behind its references.
    pub(crate) fn may_without_owners(&self, right: Right, old: Option<&Row>, new: &Row) -> bool {
        let alone = Evaluator {
            written: Vec::new(),
            is_alone: true,
            ..*self
        };
        alone.may(right, old, Some(new))
    }

    pub(super) fn decide(
        &self,
        rule: &Predicate,
        row: &Row,
        old: Option<&Row>,
        new: Option<&Row>,
    ) -> Truth {
        self.state.rule(rule).decide(&|path: &[String]| {
            let (first, rest) = path.split_first().unwrap();
            let of_caller = |values: Option<&Values>| -> Finding {
                let value = values.and_then(|values| values.get(rest.first()?));
                Finding::from(value)
            };
            match first.as_str() {
                "principal" => of_caller(self.caller.principal.as_ref()),
                "setting" => of_caller(Some(self.settings)),
                "tenant" => self
                    .tenant()
                    .map_or(Finding::Absent, |id| Finding::Value(id.into())),
                "old" => self.find(old, rest),
                "new" => self.find(new, rest),
                "now" | "param" => Finding::Unknown,
                _ => self.find(Some(row), path),
            }
        })
    }

    /// What a path leads to in a row, or behind one reference of it.
    fn find(&self, row: Option<&Row>, path: &[String]) -> Finding {
        let (Some(row), Some(name)) = (row, path.first()) else {
            return Finding::Absent;
        };
        let value = row.values.get(name);
        match (path.get(1), value) {
            (None, value) => value.into(),
            (Some(_), None) => Finding::Absent,
            (Some(next), Some(_)) => match self.referred(row, name) {
                Some(target) => target.values.get(next).into(),
                None => Finding::Unknown,
            },
        }
    }

    /// The row behind a reference: it has the id, and the rest of its key is what attributes of that name say here.
    pub(crate) fn referred(&self, row: &Row, name: &str) -> Option<&Row> {
        if self.is_alone {
            return None;
        }
        let model = self.state.model;
        let attribute = model.entity(row.entity).attribute(name)?;
        let target = model.entity(attribute.reference.as_ref()?.target);
        let id = id_name(target);
        let (entity, _) = model.entity_named(&target.name.value)?;
        let written = self.written.iter().filter(|other| other.entity == entity);
        let rows = self.state.of_entity(entity).chain(written);
        let mut found = rows.filter(|other| {
            let mut key = target.key_attributes().into_iter();
            other.values.get(id) == row.values.get(name)
                && key.all(|part| {
                    part == id
                        || row.values.get(part).is_none()
                        || row.values.get(part) == other.values.get(part)
                })
                && (other.owner == Owner::Everybody || self.is_tenants_own(other))
        });
        let first = found.next()?;
        found
            .all(|other| other.values == first.values)
            .then_some(first)
    }

    pub(super) fn is_tenants_own(&self, row: &Row) -> bool {
        matches!(&row.owner, Owner::Tenant(id) if self.tenant() == Some(id.as_str()))
    }
}

/// The attribute that references to an entity hold: its `id`, or the last attribute of its key.
pub(crate) fn id_name(entity: &Entity) -> &str {
    match &entity.id {
        Some(id) => id,
        None => entity.key_attributes().last().copied().unwrap_or(""),
    }
}

/// The references of an entity, and what becomes of its rows with what they refer to.
fn references(entity: &Entity) -> impl Iterator<Item = (&str, OnDelete)> {
    entity.attributes.iter().filter_map(|attribute| {
        let reference = attribute.reference.as_ref()?;
        Some((attribute.name.value.as_str(), reference.on_delete))
    })
}

fn rule_of(entity: &Entity, right: Right, is_old: bool) -> Option<&Predicate> {
    let allow = &entity.allow;
    match right {
        Right::Read => allow.read.as_ref(),
        Right::Create => allow.create.as_ref(),
        Right::Update => allow.update.as_ref(),
        Right::Delete => allow.delete.as_ref(),
        Right::CascadeDelete => allow.cascade.as_ref().or(allow.delete.as_ref()),
        Right::CascadeClear => allow.cascade.as_ref().or(allow.update.as_ref()),
        Right::MoveAway => {
            if is_old {
                allow.delete.as_ref()
            } else {
                allow.create.as_ref()
            }
        }
    }
}

const fn granted_as(right: Right) -> &'static str {
    match right {
        Right::Read => "READ",
        Right::Create | Right::Update | Right::CascadeClear => "WRITE",
        Right::Delete | Right::CascadeDelete | Right::MoveAway => "DELETE",
    }
}
