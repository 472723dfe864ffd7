//! Global indexes whose keys have several attributes, against a plain list that is filtered and sorted.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "support/cases.rs"]
mod cases;
#[path = "support/stores.rs"]
mod stores;

use cases::cases;
use monotable_api::{
    CreateTableInput, DeleteItemInput, GlobalSecondaryIndex, PutItemInput, QueryInput,
    ScalarAttributeType, ScanInput,
};
use monotable_engine::{Engine, EngineOptions};
use monotable_item::{EncodedItem, Item};
use proptest::prelude::*;

/// One row: where it is stored, and the attributes of the index, each of which may be missing.
#[derive(Clone, Debug)]
struct Row {
    id: u8,
    region: Option<u8>,
    shop: Option<u8>,
    state: Option<u8>,
    amount: Option<i64>,
    code: Option<u8>,
}

type Place = (u8, i64, u8);

impl Row {
    fn item(&self) -> Item {
        let mut item = Item::new().with("id", i64::from(self.id));
        let texts = [
            ("region", self.region),
            ("state", self.state),
            ("code", self.code),
        ];
        for (name, value) in texts {
            if let Some(value) = value {
                item.insert(name, text(value));
            }
        }
        if let Some(shop) = self.shop {
            item.insert("shop", i64::from(shop));
        }
        if let Some(amount) = self.amount {
            item.insert("amount", amount);
        }
        item
    }

    /// Where the row stands in the index, if it has all of its attributes.
    fn place(&self) -> Option<((u8, u8), Place)> {
        let partition = (self.region?, self.shop?);
        Some((partition, (self.state?, self.amount?, self.code?)))
    }
}

fn text(value: u8) -> String {
    ["a", "ab", "b", "ba"][usize::from(value) % 4].to_owned()
}

/// The order of texts is that of their bytes, not that of the numbers they are made of.
fn order(place: &Place) -> (String, i64, String) {
    (text(place.0), place.1, text(place.2))
}

fn table() -> CreateTableInput {
    let index = GlobalSecondaryIndex::new("by_shop", "region").hash("shop");
    let index = index.range("state").range("amount").range("code");
    CreateTableInput::new("Orders", "id", ScalarAttributeType::N)
        .attribute("region", ScalarAttributeType::S)
        .attribute("shop", ScalarAttributeType::N)
        .attribute("state", ScalarAttributeType::S)
        .attribute("amount", ScalarAttributeType::N)
        .attribute("code", ScalarAttributeType::S)
        .global_index(index)
}

/// A condition on the sort key, as text and as a test of a place.
#[derive(Clone, Debug)]
enum Sort {
    Any,
    State(u8),
    StateBegins(u8),
    AmountBetween(u8, i64, i64),
    AmountAbove(u8, i64),
    CodeUpTo(u8, i64, u8),
    Whole(u8, i64, u8),
}

impl Sort {
    fn accepts(&self, place: &Place) -> bool {
        let (state, amount, code) = order(place);
        match *self {
            Self::Any => true,
            Self::State(wanted) => state == text(wanted),
            Self::StateBegins(prefix) => state.starts_with(&text(prefix)),
            Self::AmountBetween(wanted, low, high) => {
                state == text(wanted) && (low..=high).contains(&amount)
            }
            Self::AmountAbove(wanted, low) => state == text(wanted) && amount > low,
            Self::CodeUpTo(wanted, exact, high) => {
                state == text(wanted) && amount == exact && code <= text(high)
            }
            Self::Whole(wanted, exact, last) => {
                state == text(wanted) && amount == exact && code == text(last)
            }
        }
    }

    /// The query for it. Clauses on the sort key come before those on the partition key: AWS takes them in any order.
    fn query(&self, region: u8, shop: u8) -> QueryInput {
        let condition = match self {
            Self::Any => "",
            Self::State(_) => "#s = :s AND ",
            Self::StateBegins(_) => "begins_with(#s, :s) AND ",
            Self::AmountBetween(..) => "amount BETWEEN :low AND :high AND #s = :s AND ",
            Self::AmountAbove(..) => "amount > :low AND #s = :s AND ",
            Self::CodeUpTo(..) => "code <= :code AND amount = :low AND #s = :s AND ",
            Self::Whole(..) => "code = :code AND amount = :low AND #s = :s AND ",
        };
        let condition = format!("{condition}shop = :shop AND #r = :region");
        let query = QueryInput::new("Orders", condition).index("by_shop");
        let query = query
            .value(":region", text(region))
            .value(":shop", i64::from(shop));
        let query = query.name("#r", "region");
        match *self {
            Self::Any => query,
            Self::State(state) | Self::StateBegins(state) => {
                query.name("#s", "state").value(":s", text(state))
            }
            Self::AmountBetween(state, low, high) => query
                .name("#s", "state")
                .value(":s", text(state))
                .value(":low", low)
                .value(":high", high),
            Self::AmountAbove(state, low) => query
                .name("#s", "state")
                .value(":s", text(state))
                .value(":low", low),
            Self::CodeUpTo(state, amount, code) | Self::Whole(state, amount, code) => query
                .name("#s", "state")
                .value(":s", text(state))
                .value(":low", amount)
                .value(":code", text(code)),
        }
    }
}

fn some_row() -> impl Strategy<Value = Row> {
    let part = || prop::option::weighted(0.9, 0..4u8);
    let amount = prop::option::weighted(0.9, -3..4i64);
    (
        0..24u8,
        part(),
        prop::option::weighted(0.9, 0..2u8),
        part(),
        amount,
        part(),
    )
        .prop_map(|(id, region, shop, state, amount, code)| Row {
            id,
            region: region.map(|region| region % 2),
            shop,
            state,
            amount,
            code,
        })
}

fn some_sort() -> impl Strategy<Value = Sort> {
    let (part, amount) = (|| 0..4u8, || -3..4i64);
    prop_oneof![
        Just(Sort::Any),
        part().prop_map(Sort::State),
        part().prop_map(Sort::StateBegins),
        (part(), amount(), 0..4i64).prop_map(|(state, low, more)| Sort::AmountBetween(
            state,
            low,
            low + more
        )),
        (part(), amount()).prop_map(|(state, low)| Sort::AmountAbove(state, low)),
        (part(), amount(), part())
            .prop_map(|(state, amount, code)| Sort::CodeUpTo(state, amount, code)),
        (part(), amount(), part())
            .prop_map(|(state, amount, code)| Sort::Whole(state, amount, code)),
    ]
}

/// Reads all pages of a query.
fn read_pages(engine: &Engine, query: &QueryInput) -> Vec<Item> {
    let mut items = Vec::new();
    let mut start: Option<EncodedItem> = None;
    loop {
        let mut page = query.clone().limit(2);
        if let Some(start) = start.take() {
            page = page.start_after(start.to_item());
        }
        let page = engine.query(page).unwrap();
        items.extend(page.items.unwrap().iter().map(EncodedItem::to_item));
        start = page.last_evaluated_key;
        if start.is_none() {
            return items;
        }
    }
}

fn compare(engine: &Engine, rows: &[Row], sort: &Sort, region: u8, shop: u8) {
    let mut expected: Vec<_> = rows
        .iter()
        .filter_map(|row| Some((row.place()?, row)))
        .filter(|(((r, s), place), _)| {
            text(*r) == text(region) && *s == shop && sort.accepts(place)
        })
        .map(|((_, place), row)| ((order(&place), row.id), row.item()))
        .collect();
    expected.sort_by(|one, other| one.0.cmp(&other.0));
    let expected: Vec<Item> = expected.into_iter().map(|(_, item)| item).collect();
    let query = sort.query(region, shop);
    assert_eq!(read_pages(engine, &query), expected, "{sort:?}");
    let mut backward = read_pages(engine, &query.backward());
    backward.reverse();
    assert_eq!(backward, expected, "{sort:?} backward");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(60)))]

    #[test]
    fn queries_find_what_the_list_has(
        writes in prop::collection::vec((some_row(), prop::bool::weighted(0.15)), 0..40),
        questions in prop::collection::vec((some_sort(), 0..2u8, 0..2u8), 1..8),
    ) {
        stores::on_each(EngineOptions::new, |engine| {
            engine.create_table(table()).unwrap();
            let mut rows: Vec<Row> = Vec::new();
            for (row, deletes) in &writes {
                rows.retain(|other| other.id != row.id);
                if *deletes {
                    let key = Item::new().with("id", i64::from(row.id));
                    engine.delete_item(DeleteItemInput::new("Orders", key)).unwrap();
                } else {
                    engine.put_item(PutItemInput::new("Orders", row.item())).unwrap();
                    rows.push(row.clone());
                }
            }
            for (sort, region, shop) in &questions {
                compare(engine, &rows, sort, *region, *shop);
            }
            let entries = engine.scan(ScanInput::new("Orders").index("by_shop")).unwrap();
            let placed = rows.iter().filter(|row| row.place().is_some()).count();
            assert_eq!(entries.count, placed as u64);
            stores::assert_sound(engine);
        });
    }
}

fn refusal(condition: &str) -> String {
    let engine = Engine::in_memory().unwrap();
    engine.create_table(table()).unwrap();
    let mut query = QueryInput::new("Orders", condition).index("by_shop");
    for (placeholder, name) in [("#r", "region"), ("#s", "state")] {
        if condition.contains(placeholder) {
            query = query.name(placeholder, name);
        }
    }
    if condition.contains(":t") {
        query = query.value(":t", "a");
    }
    if condition.contains(":n") {
        query = query.value(":n", 1);
    }
    engine.query(query).unwrap_err().message().into_owned()
}

#[test]
fn every_attribute_of_the_partition_key_needs_an_equality() {
    let missing = |names: &str| {
        format!("HASH key attributes {names} must have equality conditions specified in the query")
    };
    assert_eq!(refusal("#r = :t"), missing("shop"));
    assert_eq!(refusal("#r = :t AND shop > :n"), missing("shop"));
    assert_eq!(refusal("#s = :t"), missing("region, shop"));
}

#[test]
fn sort_key_attributes_are_fixed_from_the_left() {
    let gap = |names: &str, present: &str| {
        format!(
            "RANGE key attributes {names} must have equality conditions specified in the query because a condition is \
             present on key attribute {present}"
        )
    };
    let partition = "#r = :t AND shop = :n AND ";
    assert_eq!(
        refusal(&format!("{partition}amount = :n")),
        gap("state", "amount")
    );
    assert_eq!(
        refusal(&format!("{partition}#s > :t AND amount = :n")),
        gap("state", "amount")
    );
    assert_eq!(
        refusal(&format!("{partition}code = :t")),
        gap("state, amount", "code")
    );
    assert_eq!(
        refusal(&format!("{partition}colour = :t")),
        "Query condition missed key schema element: state"
    );
}

#[test]
fn values_have_the_types_of_their_own_attributes() {
    let mismatch = "One or more parameter values were invalid: Condition parameter type does not match schema type";
    let partition = "#r = :t AND shop = :n AND #s = :t AND ";
    assert_eq!(
        refusal(&format!("{partition}amount BETWEEN :t AND :t")),
        mismatch
    );
    assert_eq!(
        refusal(&format!("{partition}amount = :n AND code = :n")),
        mismatch
    );
    // The attribute behind `amount` is a text, which says nothing of the bounds on `amount`.
    let engine = Engine::in_memory().unwrap();
    engine.create_table(table()).unwrap();
    compare(&engine, &[], &Sort::AmountBetween(0, 0, 1), 0, 0);
}

#[test]
fn every_attribute_is_held_against_its_type_when_an_item_is_written() {
    let engine = Engine::in_memory().unwrap();
    engine.create_table(table()).unwrap();
    let item = Item::new().with("id", 1).with("code", 7);
    let error = engine
        .put_item(PutItemInput::new("Orders", item))
        .unwrap_err();
    assert_eq!(
        error.message(),
        "One or more parameter values were invalid: Type mismatch for Index Key code Expected: S Actual: N IndexName: \
         by_shop"
    );
}
