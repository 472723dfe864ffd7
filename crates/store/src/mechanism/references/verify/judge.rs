//! A row, held against what refers to it.

use super::{AWAY, REFERS, ROW};
use crate::address::Address;
use crate::find;
use crate::record::Conditions;
use crate::record::show_value;
use crate::scope::Scope;
use crate::verify::{
    Candidate, Confirmation, FieldReader, Findings, NoteKind, Remedy, Subject, Told, ViolationKind,
    entity_at,
};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Attribute, EntityId, OnDelete, Reference};

/// The row that is there.
struct Target {
    entity: EntityId,
    values: Item,
    has_tombstone: bool,
    address: Address,
}

/// A row that refers to it.
struct Referrer<'m> {
    entity: EntityId,
    attribute: &'m Attribute,
    reference: &'m Reference,
    id: AttributeValue,
    same: Option<AttributeValue>,
    has_tombstone: bool,
    /// The pattern that finds its kind does not find it any more.
    is_let_go: bool,
    address: Address,
    /// The reference tells where its row stands.
    is_placed: bool,
    away: Vec<Address>,
}

impl Target {
    fn read(scope: &Scope, mut fields: FieldReader<'_>) -> Option<Self> {
        Some(Self {
            entity: entity_at(scope, fields.number()?)?,
            values: fields.item()?,
            has_tombstone: fields.number()? == 1,
            address: fields.address(scope)?,
        })
    }
}

impl<'m> Referrer<'m> {
    fn read(scope: &'m Scope, mut fields: FieldReader<'_>) -> Option<Self> {
        let entity = entity_at(scope, fields.number()?)?;
        let attribute = scope.entity(entity).attribute(fields.text()?)?;
        let id = fields.value()?;
        let same = fields.value();
        let has_tombstone = fields.number()? == 1;
        let is_let_go = fields.number()? == 1;
        let address = fields.address(scope)?;
        let is_placed = fields.number()? == 1;
        let mut away = Vec::new();
        while let Some(place) = fields.address(scope) {
            away.push(place);
        }
        Some(Self {
            entity,
            attribute,
            reference: attribute.reference.as_ref()?,
            id,
            same,
            has_tombstone,
            is_let_go,
            address,
            is_placed,
            away,
        })
    }

    /// What is wrong with a target that is there.
    fn find_misfit(&self, scope: &Scope, target: &Target) -> Option<(Told, String)> {
        let name = &self.attribute.name.value;
        let place = &target.address;
        let declared = scope.entity(target.entity);
        if let Some(same) = &self.reference.same
            && let Some(own) = &self.same
        {
            let found = target.values.get(&same.value);
            let always = declared
                .attribute(&same.value)
                .is_some_and(Attribute::is_always_present);
            if found != Some(own) && (found.is_some() || always) {
                let message = format!("`{name}` refers to {place}, which belongs elsewhere");
                return Some((told_if_fixed(declared.attribute(&same.value)), message));
            }
        }
        if let Some(filter) = &self.reference.filter {
            let conditions = Conditions::new(scope.model(), &target.values, &scope.circumstances);
            if conditions.holds(declared, filter) == Some(false) {
                let paths = filter.parsed().paths();
                let names = paths.into_iter().filter_map(|path| path.first_name());
                let mut told = names.map(|name| told_if_fixed(declared.attribute(name)));
                let note = told.find(|told| matches!(told, Told::Note(_)));
                let told = note.unwrap_or(ViolationKind::Reference.into());
                return Some((
                    told,
                    format!("`{name}` refers to {place}, and not to one with {filter}"),
                ));
            }
        }
        // A delete that sets a tombstone leaves what refers to the row, which can be brought back.
        if target.has_tombstone && !self.has_tombstone && !self.may_dangle() {
            let message = format!("`{name}` refers to {place}, which has a tombstone");
            return Some((NoteKind::Dangling.into(), message));
        }
        None
    }

    /// Whether the model lets it lead nowhere.
    fn may_dangle(&self) -> bool {
        self.is_let_go || self.reference.missing_warns || self.reference.on_delete == OnDelete::Keep
    }
}

/// What was asked when the row was written may have changed since, unless it cannot.
fn told_if_fixed(attribute: Option<&Attribute>) -> Told {
    if attribute.is_some_and(Attribute::may_change) {
        NoteKind::Dangling.into()
    } else {
        ViolationKind::Reference.into()
    }
}

/// Judges one row that others refer to, or that should be there.
pub(crate) fn judge(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    let mut targets = Vec::new();
    let mut away = Vec::new();
    while let Some(fact) = subject.next_fact() {
        match fact.rank {
            ROW => targets.extend(Target::read(findings.scope, fact.fields())),
            AWAY => {
                let entity = fact.fields().number();
                away.extend(entity.and_then(|index| entity_at(findings.scope, index)));
            }
            REFERS => {
                if let Some(referrer) = Referrer::read(findings.scope, fact.fields()) {
                    let is_away = away.contains(&referrer.reference.target);
                    judge_referrer(subject, (&targets, is_away), &referrer, findings);
                }
            }
            _ => {}
        }
    }
}

fn judge_referrer(
    subject: &Subject<'_>,
    (targets, is_away): (&[Target], bool),
    referrer: &Referrer<'_>,
    findings: &mut Findings<'_>,
) {
    let scope = findings.scope;
    let target = targets
        .iter()
        .find(|target| target.entity == referrer.reference.target);
    let mut reads = vec![referrer.address.clone()];
    reads.extend(crate::verify::read_address(scope, subject.key()).filter(|_| referrer.is_placed));
    let (told, message, remedy) = match target {
        Some(target) => {
            reads.push(target.address.clone());
            match referrer.find_misfit(scope, target) {
                Some((told, message)) => (told, message, None),
                None => return,
            }
        }
        None => {
            let mut places = referrer.away.iter();
            if is_away || places.any(|away| findings.lookup(away).is_some()) {
                return;
            }
            reads.extend(referrer.away.iter().cloned());
            missing(scope, subject, referrer)
        }
    };
    findings.push(Candidate {
        told,
        subject: subject.key().clone(),
        entity: referrer.entity,
        address: referrer.address.clone(),
        message,
        confirmation: Confirmation::Rejudge(reads),
        remedy,
    });
}

fn missing(
    scope: &Scope,
    subject: &Subject<'_>,
    referrer: &Referrer<'_>,
) -> (Told, String, Option<Remedy>) {
    let name = &referrer.attribute.name.value;
    let place = crate::verify::read_address(scope, subject.key()).filter(|_| referrer.is_placed);
    let place = match (place, &referrer.id) {
        (Some(place), _) => place.to_string(),
        (None, AttributeValue::S(id)) => {
            format!("{} {id}", scope.name(referrer.reference.target))
        }
        (None, other) => {
            let shown = show_value(Some(other));
            format!("{} {shown}", scope.name(referrer.reference.target))
        }
    };
    let told = if referrer.may_dangle() {
        NoteKind::Dangling.into()
    } else {
        ViolationKind::Reference.into()
    };
    let clears = referrer.reference.on_delete == OnDelete::Clear;
    let remedy = clears.then(|| Remedy::ClearReference {
        attribute: name.clone(),
        id: referrer.id.clone(),
    });
    let mut message = format!("`{name}` refers to {place}, which is not there");
    if let Some(declared) = find_carrying_move(scope, referrer) {
        message.push_str(&format!(
            "; if `{declared}` has moved that away and broke off, the same call again takes this row along"
        ));
    }
    (told, message, remedy)
}

/// The move that should have taken a row along with the one that it refers to.
fn find_carrying_move<'s>(scope: &'s Scope, referrer: &Referrer<'_>) -> Option<&'s str> {
    let mut moves = find::moves_that_carry(scope, referrer.entity);
    let (declared, _) = moves.find(|(declared, _)| declared.of == referrer.reference.target)?;
    Some(&declared.name.value)
}
