//! Random changes and searches against the plainest computation.

use crate::{
    DIMENSIONS, TABLE, await_index, by_category, cases, find, id, index, list, message, product,
    put, search, stores, table,
};
use monotable_api::{
    DeleteItemInput, UpdateItemInput, UpdateTableInput, VectorDistanceFunction as Function,
    VectorIndexUpdate,
};
use monotable_engine::{Engine, EngineOptions};
use monotable_item::Item;
use std::collections::BTreeMap;

/// The state of one item: category, brand, vector.
type State = BTreeMap<u32, (String, Option<Vec<f32>>)>;

/// What a search finds, computed in the plainest way.
fn compute(
    state: &State,
    function: Function,
    category: Option<&str>,
    vector: &[f32],
    most: usize,
) -> Vec<(u32, f64)> {
    let dot = |one: &[f32], other: &[f32]| -> f64 {
        one.iter()
            .zip(other)
            .map(|(a, b)| f64::from(*a) * f64::from(*b))
            .sum()
    };
    let mut found: Vec<(u32, f64)> = Vec::new();
    for (number, (own, embedding)) in state {
        let Some(embedding) = embedding else { continue };
        if category.is_some_and(|category| category != own) {
            continue;
        }
        let score = match function {
            Function::DotProduct => dot(vector, embedding),
            Function::Euclidean => {
                let difference: Vec<f64> = vector
                    .iter()
                    .zip(embedding)
                    .map(|(a, b)| f64::from(*a) - f64::from(*b))
                    .collect();
                difference
                    .iter()
                    .map(|element| element * element)
                    .sum::<f64>()
                    .sqrt()
            }
            Function::Cosine => {
                let lengths = (dot(vector, vector) * dot(embedding, embedding)).sqrt();
                1.0 - if lengths > 0.0 {
                    dot(vector, embedding) / lengths
                } else {
                    0.0
                }
            }
        };
        found.push((*number, score));
    }
    let sign = if function == Function::DotProduct {
        -1.0
    } else {
        1.0
    };
    found.sort_by(|one, other| (sign * one.1).total_cmp(&(sign * other.1)));
    found.truncate(most);
    found
}

/// Holds what an index finds against the computation. Items that are as near may come in any order, but in the same one each time.
fn compare(
    engine: &Engine,
    state: &State,
    name: &str,
    function: Function,
    category: Option<&str>,
    vector: &[f32],
    most: u32,
) {
    let input = || {
        let input = search(name, vector, most);
        match category {
            Some(category) => input.condition("category = :c").value(":c", category),
            None => input,
        }
    };
    let found = find(engine, input());
    let again = find(engine, input());
    assert_eq!(found, again, "the order is fixed");
    let expected = compute(state, function, category, vector, most as usize);
    assert_eq!(found.len(), expected.len());
    for (found, (_, score)) in found.iter().zip(&expected) {
        let difference = (found.score.unwrap() - score).abs();
        assert!(difference < 1e-6, "{found:?} {score}");
        let (own, embedding) = &state[&id(found)];
        assert!(category.is_none_or(|category| category == own));
        assert!(embedding.is_some());
    }
    let ids: std::collections::BTreeSet<u32> = found.iter().map(id).collect();
    assert_eq!(ids.len(), found.len(), "each item once");
}

#[test]
fn searches_equal_a_plain_computation_while_items_change() {
    for seed in 0..u64::from(cases::cases(12)) {
        let mut dice = fastrand::Rng::with_seed(seed);
        let directory = tempfile::tempdir().unwrap();
        let open = || EngineOptions::new().open(directory.path()).unwrap();
        let mut engine = open();
        engine
            .create_table(
                table()
                    .vector_index(by_category())
                    .vector_index(index("near", Function::Euclidean)),
            )
            .unwrap();
        let mut state = State::new();
        let element = |dice: &mut fastrand::Rng| dice.i32(-4..=4) as f32 / 2.0;
        for step in 0..120 {
            let number = dice.u32(0..25);
            let key = Item::new().with("id", number);
            let category = if dice.bool() { "audio" } else { "video" };
            let vector: Vec<f32> = (0..DIMENSIONS).map(|_| element(&mut dice)).collect();
            match dice.u32(0..10) {
                0..6 => {
                    put(&engine, product(number, category, "acme", &vector));
                    state.insert(number, (category.to_owned(), Some(vector)));
                }
                6 => {
                    engine
                        .delete_item(DeleteItemInput::new(TABLE, key))
                        .unwrap();
                    state.remove(&number);
                }
                7 if state.contains_key(&number) => {
                    let update = UpdateItemInput::new(TABLE, key).update("REMOVE embedding");
                    engine.update_item(update).unwrap();
                    state.get_mut(&number).unwrap().1 = None;
                }
                8 if state.contains_key(&number) => {
                    let update = UpdateItemInput::new(TABLE, key)
                        .update("SET category = :c, embedding = :e")
                        .value(":c", category)
                        .value(":e", list(&vector));
                    engine.update_item(update).unwrap();
                    state.insert(number, (category.to_owned(), Some(vector)));
                }
                _ => {}
            }
            if step == 40 {
                let dot = index("later", Function::DotProduct);
                let create = VectorIndexUpdate::create(dot);
                engine
                    .update_table(UpdateTableInput::new(TABLE).vector_index(create))
                    .unwrap();
            }
            if step == 70 {
                await_index(&engine, TABLE, "later");
            }
            if step % 10 == 9 {
                let vector: Vec<f32> = (0..DIMENSIONS).map(|_| element(&mut dice)).collect();
                let most = dice.u32(1..12);
                compare(
                    &engine,
                    &state,
                    "by-category",
                    Function::Cosine,
                    Some(category),
                    &vector,
                    most,
                );
                compare(
                    &engine,
                    &state,
                    "near",
                    Function::Euclidean,
                    None,
                    &vector,
                    most,
                );
                if step > 70 {
                    compare(
                        &engine,
                        &state,
                        "later",
                        Function::DotProduct,
                        None,
                        &vector,
                        most,
                    );
                }
            }
            if step == 90 {
                engine.close();
                drop(engine);
                engine = open();
            }
        }
        stores::assert_sound(&engine);
        let update = UpdateTableInput::new(TABLE).vector_index(VectorIndexUpdate::delete("near"));
        engine.update_table(update).unwrap();
        assert!(
            message(engine.search_vectors(search("near", &[0.0; 3], 1)))
                .contains("does not have the specified index")
        );
        engine.background_step().unwrap();
        stores::assert_sound(&engine);
    }
}
