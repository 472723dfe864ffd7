//! A guard, held against the values that it guards.

use super::{ALSO, CLAIM, Claim, GUARD, Role};
use crate::address::Address;
use crate::verify::{
    Candidate, Confirmation, FieldReader, Findings, NoteKind, Remedy, Subject, Told, ViolationKind,
    entity_at, read_address,
};
use monotable_item::Item;
use monotable_model::model::EntityId;

/// The item at the guard's place.
struct Guard {
    role: u64,
    entity: EntityId,
    item: Item,
}

impl Guard {
    fn read(mut fields: FieldReader<'_>, findings: &Findings<'_>) -> Option<Self> {
        Some(Self {
            role: fields.number()?,
            entity: entity_at(findings.scope, fields.number()?)?,
            item: fields.item()?,
        })
    }
}

/// Judges one place where a guard stands or should stand.
pub(crate) fn judge(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    let Some(place) = read_address(findings.scope, subject.key()) else {
        return;
    };
    let mut guard = None;
    let mut claims = Vec::new();
    let mut old_owner = None;
    while let Some(fact) = subject.next_fact() {
        match fact.rank {
            GUARD => guard = Guard::read(fact.fields(), findings),
            CLAIM => claims.extend(Claim::read(findings.scope, fact.fields())),
            ALSO => old_owner = fact.fields().address(findings.scope),
            _ => {}
        }
    }
    let case = Case {
        subject: &*subject,
        place,
        guard,
    };
    if claims.is_empty() {
        case.judge_orphan(old_owner, findings);
        return;
    }
    for (position, claim) in claims.iter().enumerate() {
        let of_item = |other: &&Claim| (&other.item, &other.name) == (&claim.item, &claim.name);
        // What one row of an item guards, the others need not guard again.
        if claims.iter().take(position).any(|other| of_item(&other)) {
            continue;
        }
        let mut same = claims.iter().filter(of_item);
        let owner = same.find(|claim| case.holds(claim)).unwrap_or(claim);
        let other = claims.iter().find(|other| other.item != claim.item);
        case.judge_claim(owner, position, other, findings);
    }
}

struct Case<'c, 'f> {
    subject: &'c Subject<'f>,
    place: Address,
    guard: Option<Guard>,
}

impl Case<'_, '_> {
    /// Whether the item that stands there is the guard of a row.
    fn holds(&self, claim: &Claim) -> bool {
        let guard = self.guard.as_ref();
        guard.is_some_and(|guard| claim.holds(&guard.item))
    }

    /// Whether a guard stands there that no row but the one that is judged could have: every row that has the value states
    /// it here.
    fn guards_nothing(&self, other: Option<&Claim>) -> bool {
        let roles = [Role::Hidden as u64, Role::Entity as u64];
        let guard = self.guard.as_ref();
        other.is_none() && guard.is_some_and(|guard| roles.contains(&guard.role))
    }

    /// A guard that no row claims.
    fn judge_orphan(&self, old_owner: Option<Address>, findings: &mut Findings<'_>) {
        let Some(guard) = &self.guard else {
            return;
        };
        let message = match guard.role {
            role if role == Role::Hidden as u64 => "guards a value that no row has",
            role if role == Role::Entity as u64 => "guards a value that its row does not have",
            _ => return,
        };
        if old_owner.is_some() {
            return;
        }
        findings.push(Candidate {
            told: ViolationKind::Orphan.into(),
            subject: self.subject.key().clone(),
            entity: guard.entity,
            address: self.place.clone(),
            message: message.to_owned(),
            // Whoever claims the value now has put the guard anew.
            confirmation: Confirmation::Rejudge(vec![self.place.clone()]),
            remedy: Some(Remedy::Delete(self.place.clone())),
        });
    }

    fn judge_claim(
        &self,
        claim: &Claim,
        position: usize,
        other: Option<&Claim>,
        findings: &mut Findings<'_>,
    ) {
        let old = || {
            claim
                .also
                .iter()
                .any(|also| findings.lookup(also).is_some())
        };
        let name = &claim.name;
        let found = self.guard.as_ref().map(|guard| &guard.item);
        let holds = self.holds(claim);
        let (told, message): (Told, String) = match (found, other) {
            (_, Some(other)) if !holds && (position > 0 || found.is_some()) => (
                ViolationKind::Duplicate.into(),
                format!("`{name}` is the same as that of {}", other.owner),
            ),
            (None, _) if old() => (
                NoteKind::Layout.into(),
                format!("the guard of `{name}` stands at an old place"),
            ),
            (None, _) => (
                ViolationKind::Guard.into(),
                format!("`{name}` has no guard at {}", self.place),
            ),
            (Some(_), _) if !holds && self.guards_nothing(other) => (
                ViolationKind::Guard.into(),
                format!("the guard of `{name}` names a row that does not have the value"),
            ),
            (Some(_), _) if !holds => (
                ViolationKind::Guard.into(),
                format!("the guard of `{name}` belongs to another row"),
            ),
            (Some(item), _) => match (claim.is_other_kind(item), claim.find_stale(item)) {
                (Some(attribute), _) => (
                    ViolationKind::Guard.into(),
                    format!("the guard of `{name}` is told by `{attribute}`, which it lacks"),
                ),
                (None, Some(attribute)) => (
                    ViolationKind::Guard.into(),
                    format!("`{attribute}` of the guard of `{name}` is not what the row says"),
                ),
                (None, None) => return,
            },
        };
        let mut reads = vec![claim.owner.clone(), self.place.clone()];
        reads.extend(claim.also.iter().cloned());
        reads.extend(other.map(|other| other.owner.clone()));
        findings.push(Candidate {
            told,
            subject: self.subject.key().clone(),
            entity: claim.entity,
            address: claim.owner.clone(),
            message,
            confirmation: Confirmation::Rejudge(reads),
            remedy: match told {
                // Which of the rows keeps the value is for a person to say.
                Told::Violation(ViolationKind::Duplicate) => None,
                _ if self.guards_nothing(other) && !holds => {
                    Some(Remedy::ReplaceGuard(self.place.clone()))
                }
                _ => Some(Remedy::PutGuards),
            },
        });
    }
}
