//! Every kind of difference: its verdict, and the row that shows it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_migrate::{
    Counterexample, DecidedBy, Difference, Finding, Plan, SideBySide, Verdict, Work,
    bridge_layouts, compare, write_bridge,
};
use monotable_model::model::Model;

const SHOP: &str = r##"
monotable = 1
model     = "shop"

[table.Shop]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.Customer]
is  = { Type = "Customer" }
key = ["CUSTOMER#{customerId}", "CUSTOMER"]

[entity.Customer.attributes]
customerId = "text, matches = /[a-z0-9]{1,20}/"
email      = "text(3..60)"
orders     = "integer(0..), default = 0"
note       = "text?"

[entity.Customer.unique.email]
key = "EMAIL#{email:lower}"

[entity.Order]
is   = { Type = "Order" }
key  = ["CUSTOMER#{customerId}", "ORDER#{orderId}"]
GSI1 = ["STATE#{state}", "{orderId}"]

[entity.Order.attributes]
customerId = "-> Customer, on_delete = cascade, counted = orders"
orderId    = "ulid, generated"
state      = "open | paid, default = open"
total      = "integer(0..1000)"

[access.customer_by_email]
through = "Customer.email"

[access.orders_of_customer]
key     = ["CUSTOMER#{customerId}", "ORDER#*"]
returns = ["Order"]

[access.orders_by_state]
GSI1    = ["STATE#{state}"]
returns = ["Order"]
"##;

fn read(text: &str) -> Model {
    let reading = monotable_check::check(text);
    let found: Vec<_> = reading
        .diagnostics
        .iter()
        .map(|found| &found.message)
        .collect();
    reading.model.unwrap_or_else(|| panic!("{found:?}"))
}

/// A model that the rules of `check` need not like: two entities may have one key if `is` tells them apart.
fn unchecked(text: &str) -> Model {
    monotable_model::read(text).model.unwrap()
}

/// The shop with texts replaced.
fn changed(changes: &[(&str, &str)]) -> String {
    let mut text = SHOP.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    text
}

fn differences(changes: &[(&str, &str)]) -> Vec<Difference> {
    compare(&read(SHOP), &read(&changed(changes)))
}

fn one(found: &[Difference], subject: &str) -> Difference {
    let mut wanted = found
        .iter()
        .filter(|difference| difference.subject == subject);
    let first = wanted
        .next()
        .unwrap_or_else(|| panic!("{subject}: {found:#?}"));
    first.clone()
}

fn broken(finding: &Finding) -> (&Counterexample, DecidedBy) {
    match finding {
        Finding::Breaks {
            counterexample,
            decided_by,
            ..
        } => (counterexample, *decided_by),
        other => panic!("{other:?}"),
    }
}

fn backfilled(finding: &Finding) -> (Work, Option<&Counterexample>) {
    match finding {
        Finding::Backfill {
            work, meanwhile, ..
        } => (*work, meanwhile.as_ref()),
        other => panic!("{other:?}"),
    }
}

fn works(finding: &Finding) -> bool {
    matches!(finding, Finding::Works { .. })
}

#[test]
fn a_model_does_not_differ_from_itself() {
    assert_eq!(differences(&[]), []);
    for name in [
        "authorization",
        "formkiq",
        "processproof",
        "values",
        "yggdrasil",
    ] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let text = std::fs::read_to_string(folder.join(name).join("model.toml")).unwrap();
        let model = read(&text);
        assert_eq!(compare(&model, &model), [], "{name}");
    }
}

#[test]
fn an_optional_attribute_is_compatible() {
    let found = differences(&[(
        "note       = \"text?\"",
        "note       = \"text?\"\nnick = \"text?\"",
    )]);
    assert_eq!(one(&found, "Customer.nick").verdict(), Verdict::Compatible);
    assert_eq!(found.len(), 1);
}

#[test]
fn a_required_attribute_needs_a_default() {
    let found = differences(&[(
        "note       = \"text?\"",
        "note       = \"text?\"\nlevel = \"integer(0..), default = 1\"",
    )]);
    let level = one(&found, "Customer.level");
    let (work, meanwhile) = backfilled(&level.stored_rows);
    assert_eq!(work, Work::Rows);
    assert!(meanwhile.unwrap().what.contains("no `level`"));
    assert!(works(&level.old_programs));

    let found = differences(&[(
        "note       = \"text?\"",
        "note       = \"text?\"\nlevel = \"integer(0..)\"",
    )]);
    let level = one(&found, "Customer.level");
    let (counterexample, decided_by) = broken(&level.stored_rows);
    assert_eq!(decided_by, DecidedBy::Model);
    assert_eq!(counterexample.row.key, ["CUSTOMER#a", "CUSTOMER"]);
    assert!(!counterexample.row.values.contains_key("level"));
}

#[test]
fn what_becomes_required_or_optional_is_told_by_a_row_without_it() {
    let found = differences(&[("note       = \"text?\"", "note       = \"text\"")]);
    let note = one(&found, "Customer.note");
    assert_eq!(broken(&note.stored_rows).1, DecidedBy::Rows);
    assert!(works(&note.old_programs));

    let found = differences(&[(
        "total      = \"integer(0..1000)\"",
        "total      = \"integer(0..1000)?\"",
    )]);
    let total = one(&found, "Order.total");
    assert!(works(&total.stored_rows));
    let counterexample = broken(&total.old_programs).0;
    assert!(!counterexample.row.values.contains_key("total"));
}

#[test]
fn an_attribute_that_is_gone_is_missed_by_the_old_version() {
    let found = differences(&[("total      = \"integer(0..1000)\"\n", "")]);
    let total = one(&found, "Order.total");
    assert!(works(&total.stored_rows));
    broken(&total.old_programs);
    let found = differences(&[("note       = \"text?\"\n", "")]);
    assert_eq!(one(&found, "Customer.note").verdict(), Verdict::Compatible);
}

#[test]
fn types_are_compared_value_by_value() {
    let wider = differences(&[("integer(0..1000)", "integer(0..2000)")]);
    let total = one(&wider, "Order.total");
    assert!(works(&total.stored_rows));
    assert_eq!(broken(&total.old_programs).0.row.values["total"], 2000);

    let narrower = differences(&[("integer(0..1000)", "integer(10..1000)")]);
    let total = one(&narrower, "Order.total");
    let (counterexample, decided_by) = broken(&total.stored_rows);
    assert_eq!(decided_by, DecidedBy::Rows);
    assert_eq!(counterexample.row.values["total"], 0);
    assert!(works(&total.old_programs));

    let words = differences(&[("open | paid,", "open | paid | sent,")]);
    let state = one(&words, "Order.state");
    assert!(works(&state.stored_rows));
    assert_eq!(broken(&state.old_programs).0.row.values["state"], "sent");

    let texts = differences(&[("text(3..60)", "text(3..50)")]);
    let email = one(&texts, "Customer.email");
    let value = &broken(&email.stored_rows).0.row.values["email"];
    assert_eq!(value.as_str().unwrap().chars().count(), 51);

    let other = differences(&[("integer(0..1000)", "text")]);
    let total = one(&other, "Order.total");
    broken(&total.stored_rows);
    broken(&total.old_programs);
}

#[test]
fn a_rename_in_programs_is_compatible_and_one_in_the_table_is_not() {
    let found = differences(&[(
        "note       = \"text?\"",
        "remark     = \"text?, stored = note\"",
    )]);
    assert_eq!(
        one(&found, "Customer.remark").verdict(),
        Verdict::Compatible
    );

    let found = differences(&[(
        "note       = \"text?\"",
        "remark     = \"text?, alias = note\"",
    )]);
    let remark = one(&found, "Customer.remark");
    assert_eq!(backfilled(&remark.stored_rows).0, Work::Rows);
    broken(&remark.old_programs);
}

#[test]
fn a_key_needs_a_layout_for_the_old_one() {
    let found = differences(&[
        ("\"ORDER#{orderId}\"]\nGSI1", "\"O#{orderId}\"]\nGSI1"),
        ("\"ORDER#*\"", "\"O#*\""),
    ]);
    let key = one(&found, "Order");
    let (counterexample, decided_by) = broken(&key.stored_rows);
    assert_eq!(decided_by, DecidedBy::Model);
    assert_eq!(
        counterexample.row.key,
        ["CUSTOMER#a", "ORDER#01JGFJJZ000000000000000000"]
    );
    let new = read(&changed(&[
        ("\"ORDER#{orderId}\"]\nGSI1", "\"O#{orderId}\"]\nGSI1"),
        ("\"ORDER#*\"", "\"O#*\""),
    ]));
    let plan = Plan::new(&read(SHOP), &new, None);
    assert_eq!(plan.refusals.len(), 1);
    assert!(
        plan.refusals[0].contains(
            "[entity.Order.layout.before] key = [\"CUSTOMER#{customerId}\", \"ORDER#{orderId}\"]"
        ),
        "{plan:?}"
    );
    assert_eq!(plan.phases, []);
}

const MOVED: &[(&str, &str)] = &[
    ("\"ORDER#{orderId}\"]\nGSI1", "\"O#{orderId}\"]\nGSI1"),
    ("\"ORDER#*\"", "\"O#*\""),
    (
        "[entity.Order.attributes]",
        "[entity.Order.layout.before]\nkey = [\"CUSTOMER#{customerId}\", \"ORDER#{orderId}\"]\n\n[entity.Order.attributes]",
    ),
];

#[test]
fn a_key_with_a_layout_is_bridged() {
    let old = read(SHOP);
    let text = changed(MOVED);
    let new = read(&text);
    let key = one(&compare(&old, &new), "Order");
    assert_eq!(backfilled(&key.stored_rows).0, Work::Rows);
    let (counterexample, _) = broken(&key.old_programs);
    assert_eq!(counterexample.row.key[1], "O#01JGFJJZ000000000000000000");
    assert!(counterexample.used_by.contains("orders_of_customer"));
    let layouts = bridge_layouts(&old, &new);
    assert_eq!(layouts, ["before"]);
    let bridge = read(&write_bridge(&text, &layouts));
    let plan = Plan::new(&old, &new, Some(&bridge));
    // A query of the new key does not meet rows under the old one.
    let gaps = vec!["orders_of_customer".to_owned()];
    assert_eq!(plan.side_by_side, SideBySide::Bridge { layouts, gaps });
    assert!(!plan.backfills_beside());
    assert!(!plan.phases.is_empty());
}

#[test]
fn a_key_that_every_pattern_meets_has_no_gap() {
    let old = read(
        &SHOP
            .replace("ulid, generated", "integer(0..999), immutable")
            .replace("\"{orderId}\"]\n", "\"{orderId:03}\"]\n"),
    );
    let text = SHOP
        .replace("ulid, generated", "integer(0..999), immutable")
        .replace("\"{orderId}\"]\n", "\"{orderId:03}\"]\n")
        .replace("\"ORDER#{orderId}\"]", "\"ORDER#{orderId:03}\"]")
        .replace("[entity.Order.attributes]", "[entity.Order.layout.before]\nkey = [\"CUSTOMER#{customerId}\", \"ORDER#{orderId}\"]\n\n[entity.Order.attributes]");
    let new = read(&text);
    let bridge = read(&write_bridge(&text, &bridge_layouts(&old, &new)));
    let plan = Plan::new(&old, &new, Some(&bridge));
    let SideBySide::Bridge { gaps, .. } = &plan.side_by_side else {
        panic!("{plan:?}")
    };
    assert_eq!(gaps, &[] as &[String]);
}

#[test]
fn an_index_that_is_new_is_made_and_filled() {
    let found = differences(&[
        (
            "GSI1 = [\"GSI1PK\", \"GSI1SK\"]",
            "GSI1 = [\"GSI1PK\", \"GSI1SK\"]\nGSI2 = [\"GSI2PK\", \"GSI2SK\"]",
        ),
        (
            "GSI1 = [\"STATE#{state}\", \"{orderId}\"]",
            "GSI1 = [\"STATE#{state}\", \"{orderId}\"]\nGSI2 = [\"TOTAL\", \"{total:04}#{orderId}\"]",
        ),
        (
            "[access.orders_by_state]",
            "[access.orders_by_total]\nGSI2    = [\"TOTAL\"]\nreturns = [\"Order\"]\n\n[access.orders_by_state]",
        ),
    ]);
    assert_eq!(
        backfilled(&one(&found, "Shop.GSI2").stored_rows).0,
        Work::Tables
    );
    let key = one(&found, "Order.GSI2");
    let (work, meanwhile) = backfilled(&key.stored_rows);
    assert_eq!(work, Work::Rows);
    assert!(meanwhile.unwrap().used_by.contains("orders_by_total"));
    assert!(works(&key.old_programs));
    assert_eq!(one(&found, "orders_by_total").verdict(), Verdict::Backfill);
    let plan = Plan::new(&read(SHOP), &read(SHOP), None);
    assert!(plan.is_compatible());
}

#[test]
fn an_index_that_is_gone_is_missed_by_the_old_version() {
    let found = differences(&[
        ("GSI1 = [\"GSI1PK\", \"GSI1SK\"]\n", ""),
        ("GSI1 = [\"STATE#{state}\", \"{orderId}\"]\n", ""),
        (
            "[access.orders_by_state]\nGSI1    = [\"STATE#{state}\"]\nreturns = [\"Order\"]\n",
            "",
        ),
    ]);
    let key = one(&found, "Order.GSI1");
    assert!(works(&key.stored_rows));
    assert!(
        broken(&key.old_programs)
            .0
            .used_by
            .contains("orders_by_state")
    );
    assert_eq!(
        backfilled(&one(&found, "Shop.GSI1").stored_rows).0,
        Work::Deletion
    );
}

#[test]
fn unique_values_are_guarded_by_a_backfill() {
    let without = SHOP
        .replace(
            "[entity.Customer.unique.email]\nkey = \"EMAIL#{email:lower}\"\n",
            "",
        )
        .replace(
            "[access.customer_by_email]\nthrough = \"Customer.email\"\n",
            "",
        );
    let found = compare(&read(&without), &read(SHOP));
    let claim = one(&found, "Customer.unique.email");
    assert_eq!(backfilled(&claim.stored_rows).0, Work::Guards);
    assert_eq!(
        one(&found, "customer_by_email").verdict(),
        Verdict::Backfill
    );
    let found = compare(&read(SHOP), &read(&without));
    let claim = one(&found, "Customer.unique.email");
    assert_eq!(backfilled(&claim.stored_rows).0, Work::Deletion);
    broken(&claim.old_programs);
    let found = differences(&[("EMAIL#{email:lower}", "MAIL#{email:lower}")]);
    broken(&one(&found, "Customer.unique.email").stored_rows);
}

#[test]
fn counters_are_counted_by_a_backfill() {
    let without = SHOP.replace(", counted = orders", "");
    let found = compare(&read(&without), &read(SHOP));
    assert_eq!(
        backfilled(&one(&found, "Order.customerId").stored_rows).0,
        Work::Counters
    );
    let found = compare(&read(SHOP), &read(&without));
    broken(&one(&found, "Order.customerId").old_programs);
}

#[test]
fn an_entity_is_renamed_by_its_key() {
    let found = differences(&[
        ("[entity.Order]", "[entity.Purchase]"),
        ("[entity.Order.attributes]", "[entity.Purchase.attributes]"),
        ("returns = [\"Order\"]", "returns = [\"Purchase\"]"),
        ("returns = [\"Order\"]", "returns = [\"Purchase\"]"),
    ]);
    assert_eq!(one(&found, "Purchase").verdict(), Verdict::Compatible);
    // Its word is another one, too: rows of the old one are not known.
    let found = differences(&[
        (
            "[entity.Order]\nis   = { Type = \"Order\" }",
            "[entity.Purchase]\nis   = { Type = \"Purchase/Order\" }",
        ),
        ("[entity.Order.attributes]", "[entity.Purchase.attributes]"),
        ("returns = [\"Order\"]", "returns = [\"Purchase\"]"),
        ("returns = [\"Order\"]", "returns = [\"Purchase\"]"),
    ]);
    let is = one(&found, "Purchase.is");
    assert_eq!(backfilled(&is.stored_rows).0, Work::Rows);
    broken(&is.old_programs);
}

const SPLIT: &[(&str, &str)] = &[(
    "[entity.Order]\nis   = { Type = \"Order\" }\nkey  = [\"CUSTOMER#{customerId}\", \"ORDER#{orderId}\"]\nGSI1 = [\"STATE#{state}\", \"{orderId}\"]\n\n[entity.Order.attributes]\ncustomerId = \"-> Customer, on_delete = cascade, counted = orders\"\norderId    = \"ulid, generated\"\nstate      = \"open | paid, default = open\"\ntotal      = \"integer(0..1000)\"",
    "[entity.OpenOrder]\nis   = { Type = \"Order\", state = \"open\" }\nkey  = [\"CUSTOMER#{customerId}\", \"ORDER#{orderId}\"]\nGSI1 = [\"STATE#open\", \"{orderId}\"]\n\n[entity.OpenOrder.attributes]\ncustomerId = \"-> Customer, on_delete = cascade, counted = orders\"\norderId    = \"ulid, generated\"\ntotal      = \"integer(0..1000)\"\n\n[entity.PaidOrder]\nis   = { Type = \"Order\", state = \"paid\" }\nkey  = [\"CUSTOMER#{customerId}\", \"ORDER#{orderId}\"]\nGSI1 = [\"STATE#paid\", \"{orderId}\"]\n\n[entity.PaidOrder.attributes]\ncustomerId = \"-> Customer, on_delete = cascade, counted = orders\"\norderId    = \"ulid, generated\"\ntotal      = \"integer(0..1000)\"",
)];

#[test]
fn an_entity_is_split_by_the_words_of_an_attribute() {
    let mut text = changed(SPLIT).replace(
        "returns = [\"Order\"]",
        "returns = [\"OpenOrder\", \"PaidOrder\"]",
    );
    let found = compare(&read(SHOP), &unchecked(&text));
    let split = one(&found, "Order");
    assert!(works(&split.stored_rows), "{split:#?}");
    assert!(works(&split.old_programs));
    let plan = Plan::new(&read(SHOP), &unchecked(&text), None);
    assert!(plan.is_compatible(), "{plan:#?}");
    text = text.replace("state = \"paid\"", "state = \"closed\"");
    let found = compare(&read(SHOP), &unchecked(&text));
    let split = one(&found, "Order");
    assert_eq!(broken(&split.stored_rows).0.row.values["state"], "paid");
}

#[test]
fn an_entity_that_is_gone_is_deleted_at_the_end() {
    let found = differences(&[
        ("[entity.Order]", "[entity.Other]"),
        ("ORDER#{orderId}\"]\nGSI1", "OTHER#{orderId}\"]\nGSI1"),
        ("[entity.Order.attributes]", "[entity.Other.attributes]"),
        (
            "[access.orders_of_customer]\nkey     = [\"CUSTOMER#{customerId}\", \"ORDER#*\"]\nreturns = [\"Order\"]\n",
            "",
        ),
        ("returns = [\"Order\"]", "returns = [\"Other\"]"),
    ]);
    assert_eq!(
        backfilled(&one(&found, "Order").stored_rows).0,
        Work::Deletion
    );
    // The old pattern on the index meets rows that it does not know.
    let other = one(&found, "Other");
    let (counterexample, _) = broken(&other.old_programs);
    assert!(
        counterexample.used_by.contains("orders_by_state"),
        "{counterexample:?}"
    );
    assert!(counterexample.row.key[0].starts_with("STATE#"));
}

#[test]
fn tenants_begin_without_a_prefix_if_no_key_looks_like_one() {
    let tenant = |prefix: &str, bare: &str| {
        format!(
            "[tenant]\nname = \"siteId\"\ntype = \"text, matches = /[a-z]{{1,9}}/\"\nprefix = \"{prefix}\"\n{bare}\n\n[table.Shop]"
        )
    };
    let with = |prefix: &str, bare: &str| {
        compare(
            &read(SHOP),
            &read(&SHOP.replace("[table.Shop]", &tenant(prefix, bare))),
        )
    };
    let found = with("{siteId}/", "bare = \"first\"");
    let site = one(&found, "[tenant]");
    assert_eq!(backfilled(&site.stored_rows).0, Work::Templates);
    broken(&site.old_programs);
    let found = with("{siteId}/", "");
    broken(&one(&found, "[tenant]").stored_rows);
    let old = SHOP.replace(
        "\"CUSTOMER#{customerId}\", \"CUSTOMER\"",
        "\"{customerId}#x\", \"CUSTOMER\"",
    );
    let new = old.replace("[table.Shop]", &tenant("{siteId}#", "bare = \"first\""));
    let (old, new) = (
        monotable_model::read(&old).model.unwrap(),
        monotable_model::read(&new).model.unwrap(),
    );
    let found = compare(&old, &new);
    let site = one(&found, "[tenant]");
    assert!(
        broken(&site.stored_rows).0.row.key[0].ends_with("#x"),
        "{site:?}"
    );
}

#[test]
fn derived_rows_are_written_by_a_backfill() {
    let derived = format!(
        "{SHOP}\n[entity.Receipt]\nis  = {{ Type = \"Receipt\" }}\nkey = [\"RECEIPT#{{orderId}}\", \"RECEIPT\"]\nwrites = []\n\n[entity.Receipt.attributes]\norderId = \"ulid\"\ntotal   = \"integer(0..1000)\"\n\n[derive.receipt]\nof     = \"Order\"\nentity = \"Receipt\"\n"
    );
    let found = compare(&read(SHOP), &monotable_model::read(&derived).model.unwrap());
    let receipt = one(&found, "[derive.receipt]");
    assert_eq!(backfilled(&receipt.stored_rows).0, Work::Derived);
    let found = compare(&monotable_model::read(&derived).model.unwrap(), &read(SHOP));
    broken(&one(&found, "[derive.receipt]").old_programs);
}

#[test]
fn rules_are_looked_at_by_a_run() {
    let found = differences(&[(
        "[entity.Order.attributes]",
        "must.paid = \"total > 0\"\n\n[entity.Order.attributes]",
    )]);
    assert_eq!(one(&found, "Order.must.paid").verdict(), Verdict::Unproven);
}

#[test]
fn a_table_keeps_its_key() {
    let found = differences(&[("[table.Shop]", "[table.Shop]\nname = \"other\"")]);
    broken(&one(&found, "Shop").stored_rows);
}

#[test]
fn versions_are_apart_if_the_old_one_may_write_rows_that_break_the_new_one() {
    let beside = |changes: &[(&str, &str)]| {
        let old = read(SHOP);
        Plan::new(&old, &read(&changed(changes)), None).side_by_side
    };
    let apart = |subject: &str| SideBySide::Apart {
        because: vec![subject.to_owned()],
    };
    // Rows that break it may come after the run has looked for them.
    let narrowed = [("integer(0..1000)", "integer(0..10)")];
    let found = one(&differences(&narrowed), "Order.total");
    assert!(works(&found.old_programs), "{found:?}");
    assert_eq!(broken(&found.stored_rows).1, DecidedBy::Rows);
    assert_eq!(beside(&narrowed), apart("Order.total"));
    // A rule of which nothing is proved, too.
    let ruled = [(
        "[entity.Order.attributes]",
        "must.paid = \"total > 0\"\n\n[entity.Order.attributes]",
    )];
    assert_eq!(beside(&ruled), apart("Order.must.paid"));
    let grown = [(
        "note       = \"text?\"",
        "note       = \"text?\"\nnick = \"text?\"",
    )];
    assert_eq!(beside(&grown), SideBySide::Together);
}
