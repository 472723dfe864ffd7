//! What a damage of a row means that does nothing but guard a value.

use crate::damage::{Damage, Kind};
use crate::judgement::Judgement::{self, Contradicts, Harmless};
use crate::sample::{Sample, SampleItem};
use monotable_model::model::{Entity, Guard};

pub(crate) fn judge_guard(sample: &Sample, stored: &SampleItem, damage: &Damage) -> Judgement {
    let (Kind::AttributeRemoved(name)
    | Kind::AttributeChanged(name)
    | Kind::AttributeRetyped(name)) = &damage.kind
    else {
        return match damage.kind {
            Kind::Removed => Contradicts("guard"),
            _ => Contradicts("orphan guard"),
        };
    };
    for (entity, guard) in guards(sample, stored) {
        let Guard::Row {
            attributes, keeps, ..
        } = guard
        else {
            continue;
        };
        if entity.is.iter().any(|known| known.attribute.value == *name) {
            return Contradicts("kind of a guard");
        }
        if stored_name(entity, entity.id.as_deref().unwrap_or_default()) == *name {
            return Contradicts("owner of a guard, as it says");
        }
        let table = sample.model().table(entity.table);
        let is_kept = keeps.iter().any(|kept| {
            if table.is_key(&kept.value) {
                format!("owner{}", kept.value) == *name
            } else {
                stored_name(entity, &kept.value) == *name
            }
        });
        if is_kept {
            return Contradicts("what a guard keeps of its row");
        }
        if attributes
            .iter()
            .any(|own| stored_name(entity, own) == *name)
        {
            return Harmless("value that a guard repeats");
        }
    }
    Harmless("attribute of a guard that the model does not know")
}

/// The claims whose guards say the id of a row that is there, as this one does.
fn guards<'s>(sample: &'s Sample, stored: &SampleItem) -> Vec<(&'s Entity, &'s Guard)> {
    let model = sample.model();
    let owners = model.stored().filter(|(id, entity)| {
        let own = entity.id.as_deref().unwrap_or_default();
        let said = stored.item.get(&stored_name(entity, own));
        let mut rows = sample.items.iter();
        said.is_some() && rows.any(|row| row.entity == Some(*id) && row.values.get(own) == said)
    });
    let claims = owners.flat_map(|(_, entity)| entity.claims.iter().map(move |one| (entity, one)));
    let looks_alike = |entity: &Entity, guard: &Guard| match guard {
        Guard::Row { kind, .. } => entity.is.first().is_none_or(|first| {
            let said = stored.item.get(&first.attribute.value);
            said == Some(&kind.as_str().into())
        }),
        Guard::Entity { .. } | Guard::Snapshot => false,
    };
    claims
        .filter(|(entity, claim)| looks_alike(entity, &claim.guard))
        .map(|(entity, claim)| (entity, &claim.guard))
        .collect()
}

fn stored_name(entity: &Entity, name: &str) -> String {
    let attribute = entity.attribute(name);
    attribute.map_or_else(|| name.to_owned(), |attribute| attribute.stored.clone())
}
