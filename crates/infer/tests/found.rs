//! Models that are found in a few items.
#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

use monotable_infer::{Sample, guess_table, infer};
use monotable_item::{AttributeValue, Item};
use monotable_sketch::{Entity, Place, Sketch};

fn item(attributes: &[(&str, &str)]) -> Item {
    let mut item = Item::new();
    for (name, text) in attributes {
        let value = match text.strip_prefix("N:") {
            Some(number) => AttributeValue::N(number.parse().expect("a number")),
            None => AttributeValue::S((*text).to_owned()),
        };
        item.insert((*name).to_owned(), value);
    }
    item
}

fn find(items: &[&[(&str, &str)]]) -> Sketch {
    let items: Vec<Item> = items.iter().map(|attributes| item(attributes)).collect();
    let table = guess_table("sample", &items, &[]).expect("keys");
    infer("sample", &[Sample { table, items }]).sketch
}

fn entity<'s>(sketch: &'s Sketch, name: &str) -> &'s Entity {
    let found = sketch.entities.iter().find(|entity| entity.name == name);
    found.unwrap_or_else(|| panic!("no {name} in {:#?}", sketch.entities))
}

fn key(entity: &Entity, place: &Place) -> Vec<String> {
    let key = entity
        .keys
        .iter()
        .find(|key| key.place == *place)
        .expect("a key");
    key.templates().map(ToString::to_string).collect()
}

#[test]
fn a_type_that_begins_the_keys_tells_entities_apart() {
    let sketch = find(&[
        &[
            ("PK", "USER#1"),
            ("SK", "USER#1"),
            ("id", "1"),
            ("type", "USER"),
            ("name", "Ann"),
        ],
        &[
            ("PK", "USER#2"),
            ("SK", "USER#2"),
            ("id", "2"),
            ("type", "USER"),
            ("name", "Bo"),
        ],
        &[
            ("PK", "ORDER#7"),
            ("SK", "ORDER#7"),
            ("id", "7"),
            ("type", "ORDER"),
            ("name", "Tea"),
        ],
    ]);
    assert_eq!(sketch.entities.len(), 2, "{:#?}", sketch.entities);
    let user = entity(&sketch, "User");
    assert_eq!(user.is, [("type".to_owned(), "USER".to_owned())]);
    assert_eq!(key(user, &Place::Primary), ["USER#{id}", "USER#{id}"]);
}

#[test]
fn a_word_that_differs_and_no_attribute_shows_is_a_value_of_the_key_alone() {
    let sketch = find(&[
        &[("PK", "U#ada"), ("SK", "NOTE#n1"), ("noteId", "n1")],
        &[("PK", "U#bao"), ("SK", "NOTE#n2"), ("noteId", "n2")],
        &[("PK", "U#bao"), ("SK", "NOTE#n3"), ("noteId", "n3")],
    ]);
    let note = entity(&sketch, "Note");
    assert_eq!(key(note, &Place::Primary), ["U#{uId}", "NOTE#{noteId}"]);
    let attribute = note.attribute("uId").expect("a name that was made up");
    assert!(attribute.has_clause("key_only"), "{attribute:?}");
}

#[test]
fn formats_are_found_only_if_they_hold_in_all_rows() {
    let sketch = find(&[
        &[
            ("PK", "MAIL#ann@x.org"),
            ("SK", "MAIL"),
            ("email", "Ann@x.org"),
            ("at", "2026-01-05T10:00:00.000Z"),
            ("GSI1PK", "DAY#2026-01-05"),
            ("GSI1SK", "00042"),
            ("n", "N:42"),
        ],
        &[
            ("PK", "MAIL#bo@x.org"),
            ("SK", "MAIL"),
            ("email", "bo@x.org"),
            ("at", "2026-01-06T10:00:00.000Z"),
            ("GSI1PK", "DAY#2026-01-06"),
            ("GSI1SK", "00007"),
            ("n", "N:7"),
        ],
    ]);
    let mail = entity(&sketch, "Mail");
    assert_eq!(key(mail, &Place::Primary), ["MAIL#{email:lower}", "MAIL"]);
    assert_eq!(
        key(mail, &Place::Index("GSI1".to_owned())),
        ["DAY#{at:date}", "{n:05}"]
    );
    assert_eq!(
        mail.attribute("n").map(|n| n.kind.as_str()),
        Some("integer(0..99999)")
    );
    assert_eq!(
        mail.attribute("at").map(|at| at.kind.as_str()),
        Some("timestamp")
    );
}

#[test]
fn labels_before_values_are_text() {
    let sketch = find(&[
        &[
            ("pk", "$app#taskid_t1"),
            ("sk", "$task_1#project_p1"),
            ("taskId", "T1"),
            ("project", "P1"),
            ("__edb_e__", "task"),
        ],
        &[
            ("pk", "$app#taskid_t2"),
            ("sk", "$task_1#project_p2"),
            ("taskId", "T2"),
            ("project", "P2"),
            ("__edb_e__", "task"),
        ],
    ]);
    let task = entity(&sketch, "Task");
    assert_eq!(
        key(task, &Place::Primary),
        [
            "$app#taskid_{taskId:lower}",
            "$task_1#project_{project:lower}"
        ]
    );
}

#[test]
fn rows_that_are_not_in_an_index_are_told_by_an_attribute() {
    let sketch = find(&[
        &[
            ("PK", "T#1"),
            ("SK", "T"),
            ("id", "1"),
            ("state", "open"),
            ("GSI1PK", "OPEN"),
            ("GSI1SK", "1"),
        ],
        &[("PK", "T#2"), ("SK", "T"), ("id", "2"), ("state", "done")],
        &[
            ("PK", "T#3"),
            ("SK", "T"),
            ("id", "3"),
            ("state", "open"),
            ("GSI1PK", "OPEN"),
            ("GSI1SK", "3"),
        ],
    ]);
    let found = entity(&sketch, "T");
    let when = found.settings.iter().find(|(name, _)| name == "when.GSI1");
    assert_eq!(
        when.map(|(_, toml)| toml.as_str()),
        Some("\"state = 'open'\"")
    );
}

#[test]
fn tenants_share_the_same_keys_behind_their_prefix() {
    let mut items = Vec::new();
    for (tenant, count) in [("blue/", 6), ("red/", 6), ("", 3)] {
        for number in 0..count {
            let id = format!("d{number}");
            items.push(item(&[
                ("PK", &format!("{tenant}doc#{id}")),
                ("SK", "doc"),
                ("id", &id),
            ]));
        }
    }
    let table = guess_table("sample", &items, &[]).expect("keys");
    let sketch = infer("sample", &[Sample { table, items }]).sketch;
    let tenant = sketch.tenant.as_ref().expect("a tenant");
    assert_eq!((tenant.separator.as_str(), tenant.bare), ("/", true));
    assert_eq!(sketch.entities.len(), 1, "{:#?}", sketch.entities);
}

#[test]
fn keys_with_names_of_their_own_are_attributes() {
    let items = vec![
        item(&[
            ("artist", "Nina Simone"),
            ("song", "Sinnerman"),
            ("year", "N:1965"),
        ]),
        item(&[
            ("artist", "Odetta"),
            ("song", "Sail Away"),
            ("year", "N:1961"),
        ]),
    ];
    let key = ["artist".to_owned(), "song".to_owned()];
    let table = guess_table("songs", &items, &key).expect("keys that were given");
    let sketch = infer("songs", &[Sample { table, items }]).sketch;
    let [song] = sketch.entities.as_slice() else {
        panic!("{:#?}", sketch.entities)
    };
    assert_eq!(song.name, "Songs");
    assert_eq!(key_texts(song), ["{artist}", "{song}"]);
    assert!(song.attribute("artist").is_some());
}

#[test]
fn names_come_from_what_tells_entities_apart_or_from_the_words_of_their_keys() {
    let names = |items: &[&[(&str, &str)]]| -> Vec<String> {
        let sketch = find(items);
        sketch.entities.iter().map(|it| it.name.clone()).collect()
    };
    // The value of an attribute that tells them apart, in the form of the language.
    let told = names(&[
        &[
            ("PK", "X#1"),
            ("SK", "A"),
            ("_type", "ORDER_ITEM"),
            ("x", "1"),
        ],
        &[
            ("PK", "X#2"),
            ("SK", "A"),
            ("_type", "ORDER_ITEM"),
            ("x", "2"),
        ],
        &[
            ("PK", "Y#1"),
            ("SK", "B"),
            ("_type", "shipment"),
            ("y", "1"),
        ],
        &[
            ("PK", "Y#2"),
            ("SK", "B"),
            ("_type", "shipment"),
            ("y", "2"),
        ],
    ]);
    assert_eq!(told, ["OrderItem", "Shipment"]);
    // Two shapes with one value: the last word of the key is added.
    let shared = names(&[
        &[
            ("PK", "USER#1"),
            ("SK", "PROFILE"),
            ("type", "User"),
            ("id", "1"),
        ],
        &[
            ("PK", "USER#2"),
            ("SK", "PROFILE"),
            ("type", "User"),
            ("id", "2"),
        ],
        &[
            ("PK", "USER#1"),
            ("SK", "SETTINGS"),
            ("type", "User"),
            ("id", "1"),
        ],
        &[
            ("PK", "USER#2"),
            ("SK", "SETTINGS"),
            ("type", "User"),
            ("id", "2"),
        ],
    ]);
    assert_eq!(shared, ["UserProfile", "UserSettings"]);
    // Without such an attribute: the words of the sort key, behind those inside of the partition key.
    let worded = names(&[
        &[
            ("PK", "U#ada#PLAN#monday"),
            ("SK", "HEAD"),
            ("user", "ada"),
            ("day", "monday"),
        ],
        &[
            ("PK", "U#bao#PLAN#friday"),
            ("SK", "HEAD"),
            ("user", "bao"),
            ("day", "friday"),
        ],
        &[
            ("PK", "U#ada"),
            ("SK", "PROFILE"),
            ("user", "ada"),
            ("mail", "a@x.org"),
        ],
        &[
            ("PK", "U#bao"),
            ("SK", "PROFILE"),
            ("user", "bao"),
            ("mail", "b@x.org"),
        ],
    ]);
    assert_eq!(worded, ["Profile", "PlanHead"]);
    // A key without words says nothing but the table.
    let wordless = names(&[
        &[("PK", "ada"), ("SK", "1"), ("user", "ada"), ("n", "1")],
        &[("PK", "bao"), ("SK", "2"), ("user", "bao"), ("n", "2")],
    ]);
    assert_eq!(wordless, ["Sample"]);
}

#[test]
fn names_of_attributes_that_cannot_be_shown_stay_apart() {
    let sketch = find(&[
        &[
            ("PK", "N#1"),
            ("SK", "N"),
            ("n", "1"),
            ("a*", "p"),
            ("a_", "q"),
            ("a b", "r"),
        ],
        &[
            ("PK", "N#2"),
            ("SK", "N"),
            ("n", "2"),
            ("a*", "s"),
            ("a_", "t"),
            ("a b", "u"),
        ],
    ]);
    let found = entity(&sketch, "N");
    let mut names: Vec<&str> = found.attributes.iter().map(|it| it.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["a b", "a_", "a__", "n"]);
    let renamed = found.attribute("a__").expect("another name");
    assert_eq!(renamed.clauses, ["stored = 'a*'"]);
}

#[test]
fn the_items_of_the_store_and_keys_that_are_no_texts_are_told_apart() {
    let items = vec![
        item(&[("PK", "monotable#store"), ("SK", "monotable#store")]),
        item(&[("PK", "N#1"), ("SK", "N"), ("n", "1")]),
        item(&[("PK", "N:5"), ("SK", "N"), ("n", "2")]),
    ];
    let key = ["PK".to_owned(), "SK".to_owned()];
    let table = guess_table("sample", &items, &key).expect("keys that were given");
    let mut sample = Sample { table, items };
    sample.remove_own_items();
    assert_eq!(sample.items.len(), 2);
    assert_eq!(sample.count_strange_keys(), 1);
    assert_eq!(infer("sample", &[sample]).sketch.entities.len(), 1);
}

fn key_texts(entity: &Entity) -> Vec<String> {
    key(entity, &Place::Primary)
}
