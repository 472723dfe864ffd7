//! SearchVectors: every entry of the index, or of one of its partitions, is compared, so that what is found is exact.

use super::Execute;
use crate::capacity::vector_capacity;
use crate::catalog::{AddedIndex, Index, RelationId, Table, VectorDefinition};
use crate::engine::Core;
use crate::keys::KeyWriter;
use crate::step::Step;
use crate::store::{Direction, KeyRange, Snapshot, Space, StoreFault};
use crate::{schema, vector, wording};
use bytes::Bytes;
use monotable_api::{
    Error, IndexName, KeyAttribute, SearchEquality, SearchResultItem, SearchVectors,
    SearchVectorsInput, SearchVectorsOutput, ValidSearchVectors,
};
use monotable_expr::Projection;
use monotable_item::{EncodedItem, ItemBuilder};
use std::sync::Arc;

/// What to look for.
struct Search {
    range: KeyRange,
    vectors: VectorDefinition,
    vector: Vec<f32>,
    filters: Vec<SearchEquality>,
    most: usize,
    projection: Option<Projection>,
}

/// What was found.
#[derive(Default)]
struct Found {
    /// The nearest entries: their scores, row keys and what the index holds. In order.
    nearest: Vec<(f64, Bytes, EncodedItem)>,
    /// How large the entries are that were compared.
    bytes: usize,
}

impl Execute for SearchVectors {
    fn start(
        core: &Arc<Core>,
        input: SearchVectorsInput,
    ) -> Result<Step<SearchVectorsOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let table = catalog.table(valid.table.as_str())?;
        let (index, vectors) = find(table, &valid.index)?;
        let capacity = valid.capacity;
        let search = plan(table, index, vectors.clone(), valid)?;
        let snapshot = core.published.snapshot();
        Ok(Step::Read(Box::new(move || {
            let found = search.run(&snapshot);
            let found = found.map_err(|fault| wording::internal(&fault))?;
            Ok(SearchVectorsOutput {
                consumed_capacity: vector_capacity(capacity, found.bytes),
                search_results: Some(search.results(found)),
            })
        })))
    }
}

/// The index that is searched.
fn find<'a>(
    table: &'a Table,
    name: &IndexName,
) -> Result<(&'a Index, &'a VectorDefinition), Error> {
    let mut indexes = table.indexes.iter();
    let index = indexes.find(|index| index.name == name.as_str());
    let index = index.filter(|index| index.added != Some(AddedIndex::Deleting));
    let index = index.ok_or_else(|| wording::no_such_index(name))?;
    let Some(vectors) = &index.vector else {
        return Err(wording::index_has_no_vectors(name));
    };
    if index.added == Some(AddedIndex::Creating) {
        return Err(wording::vector_index_is_filled(name));
    }
    Ok((index, vectors))
}

fn plan(
    table: &Table,
    index: &Index,
    vectors: VectorDefinition,
    valid: ValidSearchVectors,
) -> Result<Search, Error> {
    if valid.vector.len() != vectors.dimensions {
        return Err(wording::search_of_other_dimensions(
            &index.name,
            vectors.dimensions,
            valid.vector.len(),
        ));
    }
    if valid.condition.is_none() && !index.key.hash.is_empty() {
        return Err(wording::search_without_condition());
    }
    let equalities = valid.condition.unwrap_or_default();
    for equality in &equalities {
        let mut named = index.named_attributes();
        let key = named.find(|key| key.name == equality.attribute);
        check_equality(&index.name, key, equality)?;
    }
    if let Some(projection) = &valid.projection {
        schema::check_paths(table, projection.paths())?;
        let mut lacking = projection.attributes().filter(|name| !index.holds(name));
        if let Some(name) = lacking.next() {
            return Err(wording::not_projected(&index.name, name));
        }
    }
    let (hash, filters): (Vec<_>, Vec<_>) = equalities.into_iter().partition(|equality| {
        let mut keys = index.key.hash.iter();
        keys.any(|key| key.name == equality.attribute)
    });
    Ok(Search {
        range: range(index, &hash)?,
        vectors,
        vector: valid.vector,
        filters,
        most: valid.most,
        projection: valid.projection,
    })
}

/// Checks that a condition names an attribute of the search schema, with a value of its type.
fn check_equality(
    index: &str,
    key: Option<&KeyAttribute>,
    equality: &SearchEquality,
) -> Result<(), Error> {
    let Some(key) = key else {
        return Err(wording::search_by_other_attribute(
            index,
            &equality.attribute,
        ));
    };
    if schema::has_type(key, equality.value.view()) {
        Ok(())
    } else {
        Err(wording::condition_type_mismatch())
    }
}

/// The entries of the index, or of the partition that the condition names.
fn range(index: &Index, hash: &[SearchEquality]) -> Result<KeyRange, Error> {
    let id = RelationId::from(index.id);
    if index.key.hash.is_empty() {
        return Ok(KeyRange::prefix(&id.to_bytes()));
    }
    if hash.is_empty() {
        return Err(wording::search_without_condition());
    }
    let values = hash.iter().map(|equality| Some(equality.value.view()));
    let partition = KeyWriter::partition(id, values);
    let partition = partition.ok_or_else(wording::condition_type_mismatch)?;
    Ok(KeyRange::prefix(partition.as_bytes()))
}

impl Search {
    fn run(&self, snapshot: &Snapshot) -> Result<Found, StoreFault> {
        let mut found = Found::default();
        let rows = snapshot.range(Space::Indexes, self.range.clone(), Direction::Forwards);
        for row in rows {
            let (key, value) = row?;
            let entry = EncodedItem::from_stored(value);
            found.bytes += entry.size();
            if !self.takes(&entry) {
                continue;
            }
            let Ok(Some(vector)) = vector::read(&self.vectors, entry.view()) else {
                return Err(StoreFault::Damaged {
                    what: format!("vector index entry {key:02x?} has no vector"),
                });
            };
            let score = vector::score(self.vectors.function, &self.vector, &vector);
            self.insert(&mut found, (score, key, entry));
        }
        Ok(found)
    }

    fn takes(&self, entry: &EncodedItem) -> bool {
        let entry = entry.view();
        self.filters
            .iter()
            .all(|equality| entry.get(&equality.attribute) == Some(equality.value.view()))
    }

    /// Keeps an entry if it is among the nearest. Entries come in the order of their keys, and of two that are as near the first
    /// stays before the second.
    fn insert(&self, found: &mut Found, entry: (f64, Bytes, EncodedItem)) {
        let function = self.vectors.function;
        let place = found
            .nearest
            .partition_point(|known| vector::order(function, known.0, entry.0).is_le());
        if place < self.most {
            found.nearest.insert(place, entry);
            found.nearest.truncate(self.most);
        }
    }

    /// What is returned of the entries. The vector itself is returned only if it is asked for.
    fn results(&self, found: Found) -> Vec<SearchResultItem> {
        let results = found.nearest.into_iter().map(|(score, _, entry)| {
            let item = match &self.projection {
                Some(projection) => projection.project(entry.view()),
                None => without(&entry, &self.vectors.attribute),
            };
            SearchResultItem {
                item: Some(item),
                score: Some(score),
            }
        });
        results.collect()
    }
}

fn without(entry: &EncodedItem, attribute: &str) -> EncodedItem {
    let mut builder = ItemBuilder::new();
    for (name, value) in entry.view().iter() {
        if name != attribute {
            builder.push(name, value);
        }
    }
    builder.finish()
}
