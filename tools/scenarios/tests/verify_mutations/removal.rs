//! Whether a row may go.

use crate::judgement::Judgement::{self, Contradicts, Harmless, Undecided};
use crate::judgement::{may_dangle, references};
use crate::sample::{Sample, SampleItem, text};
use monotable_item::AttributeValue;
use monotable_model::model::{Entity, EntityId, Guard, Repository};

pub(crate) fn judge_removal(sample: &Sample, stored: &SampleItem, id: EntityId) -> Judgement {
    let model = sample.model();
    let entity = model.entity(id);
    if let Some(repository) = model.repositories.iter().find(|one| one.head == id) {
        let has_log = sample.items.iter().any(|item| {
            item.entity == Some(repository.log) && same_owner(sample, repository, item, stored)
        });
        return if has_log {
            Contradicts("head")
        } else {
            Harmless("head without a log")
        };
    }
    if let Some(repository) = model.repositories.iter().find(|one| one.log == id) {
        return judge_log_removal(sample, stored, repository);
    }
    if model
        .repositories
        .iter()
        .any(|one| one.entities.contains(&id))
    {
        return judge_snapshot_removal(sample, stored, id);
    }
    if is_referred_to(sample, stored, id) {
        return Contradicts("target of a reference");
    }
    if references(entity).any(|(known, reference)| {
        reference.counted.is_some() && stored.values.get(&known.name.value).is_some()
    }) {
        return Contradicts("counted row");
    }
    if guards_something(sample, stored, id) {
        return Contradicts("guard that is a row");
    }
    if has_guards(sample, stored, entity) {
        return Contradicts("owner of a guard");
    }
    if model.derives.iter().any(|derive| derive.entity == id) {
        return Contradicts("derived row");
    }
    if model.derives.iter().any(|derive| derive.of == id) {
        return Undecided("row that others may be derived from");
    }
    if model.paths.iter().any(|path| path.leaf == id) {
        return Contradicts("leaf of a path");
    }
    if model
        .paths
        .iter()
        .any(|path| path.folder == id || path.of == id)
    {
        return Undecided("folder, or row with a path");
    }
    if !entity.each.is_empty() {
        let lists = entity.each.iter().flat_map(|each| &each.lists);
        let length = lists.filter_map(|list| match stored.values.get(&list[0].value) {
            Some(AttributeValue::L(values)) => Some(values.len()),
            _ => None,
        });
        return if length.max().unwrap_or(0) > 1 {
            Contradicts("row of an element")
        } else {
            Harmless("only row of a list")
        };
    }
    if !entity.owns.is_empty() {
        return Undecided("row that may own others");
    }
    Harmless("row that nothing depends on")
}

/// Whether two rows are of one head.
fn same_owner(
    sample: &Sample,
    repository: &Repository,
    one: &SampleItem,
    other: &SampleItem,
) -> bool {
    let head = sample.model().entity(repository.head);
    let mut names = head.key_attributes().into_iter();
    names.all(|name| one.values.get(name) == other.values.get(name))
}

fn judge_log_removal(sample: &Sample, stored: &SampleItem, repository: &Repository) -> Judgement {
    let revision = stored.values.get(&repository.revision.value);
    let named = sample.items.iter().any(|item| {
        let own = same_owner(sample, repository, item, stored);
        let pointer = (item.entity == Some(repository.head))
            .then(|| item.values.get(&repository.pointer.value));
        let parent = repository
            .parent
            .as_ref()
            .filter(|_| item.entity == Some(repository.log));
        let parent = parent.map(|parent| item.values.get(&parent.value));
        let row = item
            .entity
            .is_some_and(|id| repository.entities.contains(&id));
        let row = row.then(|| item.values.get(&repository.revision.value));
        own && [pointer, parent, row]
            .into_iter()
            .flatten()
            .any(|name| name == revision)
    });
    if named {
        Contradicts("revision that is named")
    } else {
        Harmless("revision that nothing names")
    }
}

fn judge_snapshot_removal(sample: &Sample, stored: &SampleItem, id: EntityId) -> Judgement {
    let model = sample.model();
    let own_id = model.entity(id).id.as_ref();
    let own = own_id.and_then(|name| stored.values.get(name));
    let table = model.table(stored.table);
    let partition = |item: &SampleItem| text(&item.item, &table.hash.value).to_owned();
    let named = sample.items.iter().any(|item| {
        let Some(entity) = item.entity.filter(|_| partition(item) == partition(stored)) else {
            return false;
        };
        let mut refers = references(model.entity(entity));
        refers.any(|(attribute, reference)| {
            reference.target == id
                && !reference.missing_warns
                && own.is_some()
                && item.values.get(&attribute.name.value) == own
        })
    });
    if named {
        return Contradicts("row that its snapshot refers to");
    }
    if says_count(sample, stored, id) {
        return Contradicts("row that the log counts");
    }
    Undecided("row of a snapshot")
}

/// Whether the revision of a row says how many rows it has.
fn says_count(sample: &Sample, stored: &SampleItem, id: EntityId) -> bool {
    let mut repositories = sample.model().repositories.iter();
    let Some(repository) = repositories.find(|one| one.entities.contains(&id)) else {
        return false;
    };
    let Some(count) = &repository.count else {
        return false;
    };
    let revision = stored.values.get(&repository.revision.value);
    sample.items.iter().any(|item| {
        item.entity == Some(repository.log)
            && same_owner(sample, repository, item, stored)
            && item.values.get(&repository.revision.value) == revision
            && item.values.get(&count.value).is_some()
    })
}

/// All rows of a revision are gone.
pub(crate) fn judge_snapshot_loss(sample: &Sample, stored: &SampleItem, id: EntityId) -> Judgement {
    if says_count(sample, stored, id) {
        Contradicts("snapshot that the log counts")
    } else {
        Undecided("snapshot whose rows nothing counts")
    }
}

fn is_referred_to(sample: &Sample, stored: &SampleItem, id: EntityId) -> bool {
    let model = sample.model();
    let Some(own) = model
        .entity(id)
        .id
        .as_ref()
        .and_then(|name| stored.values.get(name))
    else {
        return false;
    };
    let prefix = tenant_of(sample, stored);
    sample.items.iter().any(|item| {
        let Some(entity) = item.entity.filter(|_| tenant_of(sample, item) == prefix) else {
            return false;
        };
        let mut refers = references(model.entity(entity));
        refers.any(|(attribute, reference)| {
            let held = match item.values.get(&attribute.name.value) {
                Some(AttributeValue::L(values)) => values.contains(own),
                Some(value) => value == own,
                None => false,
            };
            reference.target == id && !may_dangle(reference) && held
        })
    })
}

fn tenant_of<'i>(sample: &Sample, item: &'i SampleItem) -> &'i str {
    let hash = &sample.model().table(item.table).hash.value;
    match text(&item.item, hash).split_once('/') {
        Some((tenant, _)) if sample.model().tenant.is_some() && !tenant.contains('#') => tenant,
        _ => "",
    }
}

/// Whether a row of an entity that claims use says whose it is.
fn guards_something(sample: &Sample, stored: &SampleItem, id: EntityId) -> bool {
    let key = sample.model().entity(id).key_attributes();
    let mut claims = sample
        .model()
        .stored()
        .flat_map(|(_, entity)| &entity.claims);
    claims.any(|claim| match &claim.guard {
        Guard::Entity { entity, set, .. } if *entity == id => set.iter().any(|assignment| {
            let name = assignment.name.value.as_str();
            !key.contains(&name) && stored.values.get(name).is_some()
        }),
        _ => false,
    })
}

fn has_guards(sample: &Sample, stored: &SampleItem, entity: &Entity) -> bool {
    entity.claims.iter().any(|claim| {
        let claimed = claim.guard.claimed(sample.model());
        claim.when.is_none()
            && !claimed.is_empty()
            && claimed.iter().all(|name| stored.values.get(name).is_some())
    })
}
