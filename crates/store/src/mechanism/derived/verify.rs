//! Whether the rows that follow from rows are there, say what they should, and are not too many.
//!
//! A derived row whose key is new each time is found by what it says: as many are stored as rows want.

use crate::address::Address;
use crate::scope::Scope;
use crate::verify::{
    Candidate, Confirmation, FactSink, Fields, Findings, Remedy, StatedFact, StatedRow, Subject,
    Topic, ViolationKind, content_hash, encode_fact, entity_at,
};
use monotable_model::model::EntityId;

/// A row that should be there.
const WANTED: u8 = 0;
/// The row that is there.
const STORED: u8 = 1;

/// States the rows that follow from it, and itself if it may follow from another.
pub(crate) fn state(row: &StatedRow<'_>, scope: &Scope, facts: &mut dyn FactSink) {
    let entity = row.record.entity;
    let derives = &scope.model().derives;
    if derives.iter().any(|derive| derive.of == entity) && row.says_tenant {
        for derived in super::rows(scope, row.record).unwrap_or_default() {
            let Ok(at) = scope.row_address(&derived) else {
                continue;
            };
            let hash = content_hash(scope, &derived);
            let subject = subject_of(scope, derived.entity, &at, hash);
            let fields = Fields::new()
                .bytes(&hash)
                .number(entity.index() as u64)
                .address(row.address)
                .address(&at);
            facts.state(Topic::Derived, subject, WANTED, fields);
        }
    }
    if derives.iter().any(|derive| derive.entity == entity) {
        let hash = content_hash(scope, row.record);
        let subject = subject_of(scope, entity, row.address, hash);
        let fields = Fields::new()
            .bytes(&hash)
            .number(entity.index() as u64)
            .address(row.address);
        facts.state(Topic::Derived, subject, STORED, fields);
    }
}

/// Where a derived row stands; if its key is new each time, what it says.
fn subject_of(scope: &Scope, entity: EntityId, at: &Address, hash: [u8; 16]) -> Fields {
    if has_fresh_key(scope, entity) {
        let prefix = scope.addressing().prefix();
        let index = entity.index() as u64;
        return Fields::new().text(prefix).number(index).bytes(&hash);
    }
    Fields::new().address(at)
}

/// Whether the key of an entity's rows is new each time.
fn has_fresh_key(scope: &Scope, entity: EntityId) -> bool {
    let declared = scope.entity(entity);
    declared.key_attributes().into_iter().any(|name| {
        let attribute = declared.attribute(name);
        attribute.is_some_and(|attribute| attribute.generated.is_some())
    })
}

/// Holds what is wanted against what is stored.
pub(crate) fn judge(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    let (mut wanted, mut stored) = (Vec::new(), Vec::new());
    while let Some(fact) = subject.next_fact() {
        if fact.rank == WANTED {
            wanted.push(fact);
        } else {
            stored.push(fact);
        }
    }
    let hash = |fact: &StatedFact| fact.fields().bytes().map(<[u8]>::to_vec);
    let mut extra: Vec<&StatedFact> = stored.iter().collect();
    let mut missing = Vec::new();
    for fact in &wanted {
        let same = extra.iter().position(|stored| hash(stored) == hash(fact));
        match same {
            Some(same) => {
                extra.swap_remove(same);
            }
            None => missing.push(fact),
        }
    }
    // Two rows that want the same row at one place share it.
    let shared = |fact: &&StatedFact| {
        let is_keyed = crate::verify::read_address(findings.scope, subject.key()).is_some();
        is_keyed && stored.iter().any(|stored| hash(stored) == hash(fact))
    };
    missing.retain(|fact| !shared(fact));
    let facts: Vec<_> = wanted.iter().chain(&stored).collect();
    for fact in &missing {
        judge_missing(subject, fact, &facts, findings);
    }
    if missing.is_empty() {
        for fact in extra {
            judge_extra(subject, fact, &facts, findings);
        }
    }
}

fn judge_missing(
    subject: &Subject<'_>,
    fact: &StatedFact,
    facts: &[&StatedFact],
    findings: &mut Findings<'_>,
) -> Option<()> {
    let scope = findings.scope;
    let mut fields = fact.fields();
    fields.bytes()?;
    let entity = entity_at(scope, fields.number()?)?;
    let (address, at) = (fields.address(scope)?, fields.address(scope)?);
    let confirmation = confirm(subject, scope, facts, [address.clone(), at.clone()]);
    findings.push(Candidate {
        told: ViolationKind::Derived.into(),
        subject: subject.key().clone(),
        entity,
        address,
        message: format!("the derived row {at} is missing or says something else"),
        confirmation,
        remedy: Some(Remedy::PutDerived),
    });
    Some(())
}

fn judge_extra(
    subject: &Subject<'_>,
    fact: &StatedFact,
    facts: &[&StatedFact],
    findings: &mut Findings<'_>,
) -> Option<()> {
    let scope = findings.scope;
    let mut fields = fact.fields();
    fields.bytes()?;
    let entity = entity_at(scope, fields.number()?)?;
    let address = fields.address(scope)?;
    let confirmation = confirm(subject, scope, facts, [address.clone()]);
    findings.push(Candidate {
        told: ViolationKind::Derived.into(),
        subject: subject.key().clone(),
        entity,
        confirmation,
        message: "nothing gives this row".to_owned(),
        remedy: Some(Remedy::Delete(address.clone())),
        address,
    });
    Some(())
}

/// Rows at one place are read again; of rows that are known by what they say, all that were met must still say it.
fn confirm(
    subject: &Subject<'_>,
    scope: &Scope,
    facts: &[&StatedFact],
    reads: impl IntoIterator<Item = Address>,
) -> Confirmation {
    let mut reads: Vec<Address> = reads.into_iter().collect();
    reads.extend(facts.iter().filter_map(|fact| {
        let mut fields = fact.fields();
        fields.bytes()?;
        fields.number()?;
        fields.address(scope)
    }));
    if crate::verify::read_address(scope, subject.key()).is_some() {
        return Confirmation::Rejudge(reads);
    }
    let stored = facts.iter().filter(|fact| fact.rank == STORED);
    Confirmation::Unchanged {
        reads,
        facts: stored
            .map(|fact| encode_fact(subject.key(), fact))
            .collect(),
    }
}
