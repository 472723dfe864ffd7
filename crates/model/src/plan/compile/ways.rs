//! Each way to rows as a step.

use super::{condition, needs, routes};
use crate::model::{
    Access, Entity, EntityId, Key, KeyPlace, Model, PathId, Projection, RepositoryId, TableId,
    Template, Walk, Way,
};
use crate::plan::key_text::{KeyText, fields};
use crate::plan::reach::{
    Composite, DiffStep, GetStep, Link, PointerStep, QueryStep, Reach, SegmentKey, SegmentStep,
    WalkStep,
};
use crate::span::Name;

/// How a pattern reaches its rows.
pub(super) fn compile(model: &Model, access: &Access) -> Reach {
    match &access.way {
        Way::Get { table, key } => Reach::Get(GetStep {
            key: condition::compile(model, access, *table, key),
            layouts: old_keys(model, access),
            projection: needs::projection(model, access, *table, key.place),
        }),
        Way::Query { table, key } => Reach::Query(query(model, access, *table, key)),
        Way::Through { entity, claim } => Reach::Guard {
            entity: *entity,
            claim: *claim,
        },
        Way::Union(parts) => Reach::Union(Composite {
            parts: parts.clone(),
            set: access.set.clone(),
        }),
        Way::Steps(parts) => Reach::Steps(Composite {
            parts: parts.clone(),
            set: access.set.clone(),
        }),
        Way::Walk(walks) => walk(model, walks),
        Way::Resolve(path) => segments(model, *path),
        Way::Diff(repository) => diff(model, *repository),
        Way::Pointer { attributes, .. } => pointer(model, access, attributes),
    }
}

/// What cannot be reached in this way: nothing is asked.
const fn nothing() -> Reach {
    Reach::Union(Composite {
        parts: Vec::new(),
        set: Vec::new(),
    })
}

/// Where rows of other layouts stand.
fn old_keys(model: &Model, access: &Access) -> Vec<KeyText> {
    let returns = access.returns.iter();
    returns
        .flat_map(|id| routes::layouts(model, model.entity(*id)))
        .collect()
}

fn query(model: &Model, access: &Access, table: TableId, key: &Key) -> QueryStep {
    let index = match key.place {
        KeyPlace::Primary => None,
        KeyPlace::Index(position) => model.table(table).indexes.get(position),
    };
    QueryStep {
        key: condition::compile(model, access, table, key),
        hydrate: index.is_some_and(|index| index.projection != Projection::All),
        projection: needs::projection(model, access, table, key.place),
    }
}

fn walk(model: &Model, walks: &[Walk]) -> Reach {
    let links: Vec<_> = walks.iter().filter_map(|walk| link(model, walk)).collect();
    // The row it begins with is what the first link comes from.
    match links.first().map(|link| link.back.target) {
        Some(start) => Reach::Walk(WalkStep { start, links }),
        None => nothing(),
    }
}

fn link(model: &Model, walk: &Walk) -> Option<Link> {
    let entity = model.entity(walk.entity);
    let origin = origin(entity, walk)?;
    let end = entity.attribute(&walk.end.value)?.reference.as_ref()?;
    Some(Link {
        back: routes::compile_back(model, walk.entity, origin)?,
        filter: walk.filter.clone(),
        end: walk.end.value.clone(),
        next: routes::compile_row(model, walk.entity, end.target, &walk.end.value),
    })
}

/// The reference that a walk comes by.
fn origin<'e>(entity: &'e Entity, walk: &Walk) -> Option<&'e str> {
    match &entity.relation {
        Some(relation) if relation.to.value == walk.end.value => Some(&relation.from.value),
        Some(relation) => Some(&relation.to.value),
        // Without a relation: the other reference of the row.
        None => {
            let mut others = entity.attributes.iter().filter(|attribute| {
                attribute.reference.is_some() && attribute.name.value != walk.end.value
            });
            Some(&others.next()?.name.value)
        }
    }
}

fn segments(model: &Model, path: PathId) -> Reach {
    let declared = model.path(path);
    let keys = segment(model, declared.folder).zip(segment(model, declared.leaf));
    let Some((folder, leaf)) = keys else {
        return nothing();
    };
    Reach::Segments(SegmentStep {
        path,
        parameter: declared.attribute.value.clone(),
        split: declared.split.clone(),
        folder,
        leaf,
        id: model.entity(declared.folder).id.clone(),
    })
}

/// The partition of a segment's row names the folder, its sort key the segment.
fn segment(model: &Model, entity: EntityId) -> Option<SegmentKey> {
    let declared = model.entity(entity);
    let key = declared.primary()?;
    let names = |template: &Template| -> Vec<String> {
        let fields = fields(&template.parts);
        let names = fields.flat_map(|field| field.attributes());
        names.map(|name| name.value.clone()).collect()
    };
    Some(SegmentKey {
        entity,
        key: KeyText::new(model, declared.table, key),
        parent: names(&key.hash),
        segment: key.range.as_ref().map(names).unwrap_or_default(),
    })
}

fn diff(model: &Model, repository: RepositoryId) -> Reach {
    let declared = model.repository(repository);
    let key = |entity: EntityId| {
        let entity = model.entity(entity);
        Some(KeyText::new(model, entity.table, entity.primary()?))
    };
    let snapshot = declared.entities.first().and_then(|entity| key(*entity));
    let (Some(snapshot), Some(log)) = (snapshot, key(declared.log)) else {
        return nothing();
    };
    Reach::Diff(DiffStep {
        repository,
        snapshot: snapshot.without_sort(),
        revision: declared.revision.value.clone(),
        log,
        log_id: model.entity(declared.log).id.clone().unwrap_or_default(),
    })
}

fn pointer(model: &Model, access: &Access, attributes: &[Name]) -> Reach {
    let Some(first) = access.returns.first() else {
        return nothing();
    };
    let table = model.entity(*first).table;
    let declared = model.table(table);
    let key = std::iter::once(&declared.hash).chain(&declared.range);
    let is_shared = |id: &EntityId| {
        let entity = model.entity(*id);
        let layouts = entity.layouts.iter().flat_map(|layout| &layout.keys);
        let mut keys = entity.keys.iter().chain(layouts);
        keys.any(|key| key.place == KeyPlace::Primary && key.global)
    };
    Reach::Pointer(PointerStep {
        table,
        table_name: declared.physical.clone(),
        key: key.map(|name| name.value.clone()).collect(),
        parameters: attributes.iter().map(|name| name.value.clone()).collect(),
        may_be_shared: access.returns.iter().any(is_shared),
    })
}
