//! Minimal models. Each test has the bad model and the same model put right, which passes.

use super::{breaks, passes};
use monotable_model::diagnostic::Code;

/// A small shop: what the tests below change.
const SHOP: &str = r##"
monotable = 1
model     = "shop"

[type]
id = "text, matches = /[a-z0-9-]{1,32}/"

[table.Shop]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.Customer]
is   = { Type = "Customer" }
key  = ["CUSTOMER#{customerId}", "PROFILE"]
GSI1 = ["EMAIL#{email}", "CUSTOMER#{customerId}"]

[entity.Customer.attributes]
customerId = "id, generated = ulid"
email      = "text(3..200), without = #"

[entity.Order]
is   = { Type = "Order" }
key  = ["CUSTOMER#{customerId}", "ORDER#{orderId}"]

[entity.Order.attributes]
customerId = "-> Customer, on_delete = cascade"
orderId    = "id, generated = ulid"
placed     = "timestamp, created"

[access.customer]
key     = ["CUSTOMER#{customerId}", "PROFILE"]
returns = ["Customer"]

[access.orders_of_customer]
key     = ["CUSTOMER#{customerId}", "ORDER#*"]
returns = ["Order"]

[access.customers_by_email]
GSI1    = ["EMAIL#{email}"]
returns = ["Customer"]
"##;

/// The shop with one text for another.
#[track_caller]
fn shop(from: &str, to: &str) -> String {
    assert_eq!(SHOP.matches(from).count(), 1, "{from:?}");
    SHOP.replace(from, to)
}

fn and(more: &str) -> String {
    format!("{SHOP}\n{more}")
}

#[test]
fn the_shop_is_sound() {
    passes(SHOP);
}

#[test]
fn m001_a_pattern_that_also_returns_others() {
    let bad = shop(
        r##"key     = ["CUSTOMER#{customerId}", "ORDER#*"]"##,
        r##"key     = ["CUSTOMER#{customerId}"]"##,
    );
    breaks(
        &bad,
        Code::StrangerInQuery,
        "orders_of_customer",
        "\"PROFILE\")",
    );
}

#[test]
fn m001_a_pattern_that_never_returns_what_it_says() {
    let bad = shop(
        r##"key     = ["CUSTOMER#{customerId}", "ORDER#*"]"##,
        r##"key     = ["CUSTOMER#{customerId}", "ORDERS#*"]"##,
    );
    breaks(
        &bad,
        Code::StrangerInQuery,
        "orders_of_customer",
        "can never return Order",
    );
}

#[test]
fn m002_a_prefix_that_stops_inside_a_value() {
    let bad = and(
        "[access.order_prefix]\nkey = [\"CUSTOMER#{customerId}\", \"ORDER#{orderId}*\"]\nreturns = [\"Order\"]\n",
    );
    breaks(&bad, Code::OpenPrefix, "*", "n10");
    passes(&bad.replace("{orderId}*", "{orderId*}"));
}

#[test]
fn m002_a_delimiter_that_the_value_may_contain() {
    let more = r##"
[entity.Line]
key = ["LINES#{customerId}", "ORDER#{orderId}#LINE#{line}"]

[entity.Line.attributes]
customerId = "id"
orderId    = "text(1..100)"
line       = "id"

[access.lines_of_order]
key     = ["LINES#{customerId}", "ORDER#{orderId}#*"]
returns = ["Line"]
"##;
    breaks(
        &and(more),
        Code::OpenPrefix,
        "ORDER#{orderId}#*",
        "orderId = ",
    );
    passes(&and(more).replace("\"text(1..100)\"", "\"text(1..100), without = #\""));
}

#[test]
fn m003_at_most_one_by_an_index() {
    let bad = shop(
        "GSI1    = [\"EMAIL#{email}\"]\n",
        "GSI1    = [\"EMAIL#{email}\"]\none     = true\n",
    );
    breaks(&bad, Code::UnguardedClaim, "customers_by_email", "(email)");
    passes(&format!(
        "{bad}\n[entity.Customer.unique]\nemail = \"CUSTOMER_EMAIL#{{email}}\"\n"
    ));
}

#[test]
fn m004_half_of_an_index_key() {
    let more = "[table.Shop.ByRegion]\nkey = [\"region\", \"rank\"]\n\n[access.by_region]\nByRegion = [\"{region}\"]\nreturns = [\"Customer\"]\n";
    let customer = and(more).replace(
        "email      =",
        "region     = \"id\"\nrank       = \"id\"\nemail      =",
    );
    passes(&customer);
    let bad = customer.replace("placed     =", "region     = \"id\"\nplaced     =");
    breaks(&bad, Code::NeverInIndex, "id", "never `rank`");
}

#[test]
fn m005_a_number_without_padding() {
    let bad = shop("ORDER#{orderId}\"]", "ORDER#{number}\"]").replace(
        "placed     =",
        "number     = \"integer(0..99999), immutable\"\nplaced     =",
    );
    breaks(
        &bad,
        Code::UnpaddedNumber,
        "{number}",
        "\"ORDER#10\" < \"ORDER#9\"",
    );
    passes(&bad.replace("{number}", "{number:05}"));
}

#[test]
fn m006_a_time_at_the_end() {
    let bad = shop("ORDER#{orderId}\"]", "ORDER#{placed}\"]");
    breaks(&bad, Code::TimeTie, "{placed}", "two rows of one moment");
    passes(&bad.replace("{placed}", "{placed}#{orderId}"));
}

#[test]
fn m007_values_that_run_into_each_other() {
    let more = r##"
[entity.Tag]
key = ["TAG#{name}#{value}", "TAG"]

[entity.Tag.attributes]
name  = "text(1..50)"
value = "text(1..50)"

[access.tag]
key     = ["TAG#{name}#{value}", "TAG"]
returns = ["Tag"]
"##;
    breaks(
        &and(more),
        Code::AmbiguousKey,
        "TAG#{name}#{value}",
        "name = ",
    );
    passes(&and(more).replace(
        "name  = \"text(1..50)\"",
        "name  = \"text(1..50), without = #\"",
    ));
}

#[test]
fn m008_state_in_the_primary_key() {
    let bad = shop("ORDER#{orderId}\"]", "ORDER#{status}#{orderId}\"]")
        .replace("placed     =", "status     = \"open | paid\"\nplaced     =");
    breaks(&bad, Code::MutableKey, "open | paid", "`status`");
    passes(&bad.replace("open | paid", "open | paid, movable"));
    passes(&bad.replace("open | paid", "open | paid, immutable"));
}

#[test]
fn m009_many_rows_in_one_partition() {
    let more = "[entity.Event]\nkey = [\"EVENTS\", \"EVENT#{eventId}\"]\nvolume = \"high\"\n\n[entity.Event.attributes]\neventId = \"ulid, generated\"\n\n[access.events]\nkey = [\"EVENTS\", \"EVENT#*\"]\nreturns = [\"Event\"]\n";
    breaks(&and(more), Code::HotPartition, "EVENTS", "one partition");
    passes(&and(more).replace("\"EVENTS\"", "\"EVENTS#{eventId:shard(8)}\""));
    passes(&and(more).replace("volume = \"high\"\n", ""));
}

const TENANT: &str =
    "\n[tenant]\nname = \"siteId\"\ntype = \"text, matches = /[a-z]+/\"\nprefix = \"{siteId}/\"\n";

#[test]
fn m010_a_key_without_the_tenant() {
    let bad = format!(
        "{}{TENANT}",
        shop(
            "[entity.Customer]\n",
            "[entity.Customer]\nglobal = [\"GSI1\"]\n"
        )
    );
    breaks(&bad, Code::MissingTenant, "EMAIL#{email}", "GSI1");
    passes(&format!("{SHOP}{TENANT}"));
}

#[test]
fn m011_what_an_expired_row_leaves_behind() {
    let expiring = shop(
        "GSI1 = [\"GSI1PK\", \"GSI1SK\"]\n",
        "GSI1 = [\"GSI1PK\", \"GSI1SK\"]\nttl = \"until\"\n",
    );
    // Orders refer to customers, and customers have unique values.
    let bad = expiring.replace("email      =", "until = \"epoch?\"\nemail      =");
    breaks(
        &bad,
        Code::LeftBehind,
        "epoch?",
        "go by themselves at `until`",
    );
    passes(&expiring.replace("placed     =", "until      = \"epoch?\"\nplaced     ="));
}

const TRASH: &str = r##"
[entity.Trash]
like = "Customer"
is   = { Type = "Trash" }
key  = ["TRASH", "CUSTOMER#{customerId}"]
GSI1 = ["TRASH#{email}", "CUSTOMER#{customerId}"]
writes = []

[entity.TrashedRow]
key    = ["TRASH#{row.PK}", "{row.SK}"]
writes = []

[move.trash]
of   = "Customer"
to   = "Trash"
rest = "TrashedRow"

[access.trash]
key     = ["TRASH"]
returns = ["Trash"]
"##;

fn with_trash() -> String {
    and(TRASH).replace(
        "[entity.Customer]\n",
        "[entity.Customer]\nowns = [\"orders_of_customer\"]\n",
    )
}

#[test]
fn m011_moved_rows_among_the_living() {
    passes(&with_trash());
    let bad = with_trash()
        .replace("GSI1 = [\"TRASH#{email}\", ", "GSI1 = [\"EMAIL#{email}\", ")
        .replace(
            "GSI1    = [\"EMAIL#{email}\"]\nreturns = [\"Customer\"]",
            "GSI1    = [\"EMAIL#{email}\"]\nreturns = [\"Customer\"]\ndrops = [\"Trash\"]",
        );
    breaks(
        &bad,
        Code::LeftBehind,
        "EMAIL#{email}",
        "stands in an index partition",
    );
}

#[test]
fn m011_rows_that_do_not_move_along() {
    let bad = with_trash()
        .replace("owns = [\"orders_of_customer\"]\n", "")
        .replace("rest = \"TrashedRow\"\n", "")
        .replace(
            "[entity.TrashedRow]\nkey    = [\"TRASH#{row.PK}\", \"{row.SK}\"]\nwrites = []\n",
            "",
        );
    breaks(
        &bad,
        Code::LeftBehind,
        "[move.trash]",
        "not the rows of `Order`",
    );
}

#[test]
fn m011_rows_that_a_delete_forgets() {
    let bad = shop(
        "customerId = \"-> Customer, on_delete = cascade\"",
        "customerId = \"id\"",
    );
    breaks(
        &bad,
        Code::LeftBehind,
        "Order",
        "leaves the rows of `Order`",
    );
}

#[test]
fn m012_a_delete_that_asks_an_index() {
    let more = r##"
[entity.Review]
key  = ["REVIEW#{reviewId}", "REVIEW"]
GSI1 = ["REVIEWS#{customerId}", "REVIEW#{reviewId}"]

[entity.Review.attributes]
reviewId   = "id, generated = ulid"
customerId = "-> Customer, on_delete = cascade"

[access.reviews_of_customer]
GSI1    = ["REVIEWS#{customerId}"]
returns = ["Review"]
"##;
    breaks(
        &and(more),
        Code::IndexDecides,
        "-> Customer",
        "only `GSI1` finds",
    );
    passes(
        &and(more)
            .replace(
                "REVIEW#{reviewId}\", \"REVIEW\"]",
                "REVIEWS#{customerId}\", \"REVIEW#{reviewId}\"]",
            )
            .replace("GSI1    = [\"REVIEWS", "key     = [\"REVIEWS"),
    );
}

#[test]
fn m113_keys_of_the_stores_own_items_are_not_for_rows() {
    let of_row = shop(
        "key  = [\"CUSTOMER#{customerId}\", \"ORDER",
        "key  = [\"monotable#{customerId}\", \"ORDER",
    )
    .replace(
        "key     = [\"CUSTOMER#{customerId}\", \"ORDER",
        "key     = [\"monotable#{customerId}\", \"ORDER",
    );
    breaks(&of_row, Code::ReservedKey, "monotable#{customerId}", "");
    passes(&of_row.replace("monotable#", "monotable-"));
    // No reason makes up for it.
    let accepted = of_row.replace(
        "[entity.Order]\n",
        "[entity.Order]\naccept.reserved_key = \"it is ours\"\n",
    );
    assert!(monotable_check::check(&accepted).model.is_none());
    let of_guard = SHOP.replace(
        "email      = \"text(3..200), without = #\"",
        "email      = \"text(3..200), without = #\"\n\n[entity.Customer.unique.email]\nkey = [\"monotable#{email}\", \"EMAIL\"]",
    );
    super::reports(&of_guard, Code::ReservedKey, "monotable#{email}", "");
    // In an index it cannot meet them.
    passes(&SHOP.replace("EMAIL#{email}", "monotable#{email}"));
}

#[test]
fn m013_a_secret_in_a_key_or_an_index() {
    let in_key = shop(
        "EMAIL#{email}\", \"CUSTOMER#{customerId}\"]",
        "EMAIL#{email}\", \"{token}\"]",
    )
    .replace(
        "email      =",
        "token      = \"token(32), generated, secret\"\nemail      =",
    );
    let in_key = in_key.replace(
        "[entity.Customer]\n",
        "[entity.Customer]\nid = \"customerId\"\n",
    );
    breaks(&in_key, Code::ExposedSecret, "{token}", "as it is");
    let in_index = SHOP.replace(
        "email      =",
        "password   = \"text, secret, hashed = bcrypt(10)\"\nemail      =",
    );
    breaks(
        &in_index,
        Code::ExposedSecret,
        "secret",
        "`GSI1` holds a copy",
    );
    passes(&in_index.replace(
        "GSI1 = [\"GSI1PK\", \"GSI1SK\"]",
        "GSI1 = { key = [\"GSI1PK\", \"GSI1SK\"], project = \"keys\" }",
    ));
}

#[test]
fn m014_two_entities_with_one_key() {
    let more = r##"
[entity.Note]
key = ["CUSTOMER#{customerId}", "{name}"]

[entity.Note.attributes]
customerId = "-> Customer, on_delete = cascade"
name       = "text, matches = /[A-Z]{3,10}/"
"##;
    let bad = and(more).replace("[access.customer]\nkey     = [\"CUSTOMER#{customerId}\", \"PROFILE\"]\nreturns = [\"Customer\"]\n", "");
    breaks(&bad, Code::SameKey, "{name}", "\"PROFILE\"");
    passes(&bad.replace("\"{name}\"]", "\"NOTE#{name}\"]"));
}

#[test]
fn m015_a_key_that_can_be_empty() {
    let bad = shop(
        "GSI1 = [\"EMAIL#{email}\", \"CUSTOMER#{customerId}\"]",
        "GSI1 = [\"EMAIL#{email}\", \"{nick|}\"]",
    )
    .replace("email      =", "nick       = \"text?\"\nemail      =");
    breaks(&bad, Code::EmptyKey, "{nick|}", "can be empty");
    passes(&bad.replace("{nick|}", "{nick|'-'}"));
    passes(&bad.replace("{nick|}", "{nick}"));
}

#[test]
fn m015_a_primary_key_that_can_be_absent() {
    let bad = shop("ORDER#{orderId}\"]", "ORDER#{orderId}#{note}\"]").replace(
        "placed     =",
        "note       = \"id?, immutable\"\nplaced     =",
    );
    breaks(&bad, Code::EmptyKey, "{note}", "may be absent");
    passes(&bad.replace("{note}", "{note|}"));
}

#[test]
fn m016_a_new_key_for_a_row_to_be_replaced() {
    let more = r##"
[entity.Label]
key = ["CUSTOMER#{customerId}", "LABEL#{labelId}"]
writes = []

[entity.Label.attributes]
customerId = "-> Customer, on_delete = cascade"
labelId    = "ulid, generated"
label      = "id"

[derive.labels]
of     = "Customer"
each   = ["one in labels"]
entity = "Label"
set    = { label = "{one}" }
"##;
    let bad = and(more).replace(
        "email      =",
        "labels     = \"[id](0..20)?\"\nemail      =",
    );
    breaks(&bad, Code::GeneratedKey, "ulid, generated", "new each time");
    passes(
        &bad.replace("LABEL#{labelId}", "LABEL#{label}")
            .replace("labelId    = \"ulid, generated\"\n", ""),
    );
}

#[test]
fn m017_keys_that_are_too_long() {
    let bad = shop("text(3..200), without = #", "text(3..2000), without = #");
    breaks(&bad, Code::LongKey, "EMAIL#{email}", "DynamoDB allows 2048");
    passes(
        &bad.replace("{email}\", \"CUST", "{email:fit(400)}\", \"CUST")
            .replace(
                "GSI1    = [\"EMAIL#{email}\"]",
                "GSI1    = [\"EMAIL#{email:fit(400)}\"]",
            ),
    );
}

#[test]
fn m018_a_create_of_too_many_rows() {
    let more = "[entity.Label]\nkey = [\"CUSTOMER#{customerId}\", \"LABEL#{label}\"]\nwrites = []\n\n[entity.Label.attributes]\ncustomerId = \"-> Customer, on_delete = cascade\"\nlabel = \"id\"\n\n[derive.labels]\nof = \"Customer\"\neach = [\"one in labels\"]\nentity = \"Label\"\nset = { label = \"{one}\" }\n";
    let bad = and(more).replace(
        "email      =",
        "labels     = \"[id](0..200)?\"\nemail      =",
    );
    breaks(&bad, Code::LargeTransaction, "Customer", "201 actions");
    passes(&bad.replace("(0..200)", "(0..99)"));
}

#[test]
fn m019_a_delete_that_leads_nowhere() {
    let more = "[entity.Gift]\nkey = [\"GIFT#{giftId}\", \"GIFT\"]\n\n[entity.Gift.attributes]\ngiftId = \"id, generated = ulid\"\nfrom = \"-> Customer, on_delete = cascade\"\n";
    breaks(
        &and(more),
        Code::NoPath,
        "-> Customer",
        "no key or index leads",
    );
    passes(
        &and(more)
            .replace("on_delete = cascade\"\n", "on_delete = keep\"\n")
            .replace(
                "customerId = \"-> Customer, on_delete = keep\"",
                "customerId = \"-> Customer, on_delete = cascade\"",
            ),
    );
}

#[test]
fn m020_a_partition_that_is_nobodys() {
    let isolation = "\n[principal]\ncustomerId = \"id\"\n\n[isolation]\npartitions = [\"CUSTOMER#{principal.customerId}\", \"CUSTOMER#{principal.customerId}#*\"]\n";
    let alone = SHOP.replace("GSI1 = [\"EMAIL#{email}\", \"CUSTOMER#{customerId}\"]\n", "").replace("[access.customers_by_email]\nGSI1    = [\"EMAIL#{email}\"]\nreturns = [\"Customer\"]\n", "");
    passes(&format!("{alone}{isolation}"));
    breaks(
        &format!("{SHOP}{isolation}"),
        Code::OutsideIsolation,
        "EMAIL#{email}",
        "partition key: \"EMAIL#",
    );
    let two = format!("{alone}{isolation}").replace(
        "[principal]\ncustomerId = \"id\"",
        "[principal]\ncustomerId = \"text\"",
    );
    breaks(
        &two,
        Code::OutsideIsolation,
        "[isolation]",
        "two principals",
    );
}

#[test]
fn an_accepted_finding_is_no_finding_and_a_needless_one_is_an_error() {
    let bad = shop("ORDER#{orderId}\"]", "ORDER#{placed}\"]");
    let accepted = bad.replace(
        "[entity.Order]\n",
        "[entity.Order]\naccept.time_tie = \"orders come one by one\"\n",
    );
    passes(&accepted);
    breaks(
        &shop(
            "[entity.Order]\n",
            "[entity.Order]\naccept.time_tie = \"orders come one by one\"\n",
        ),
        Code::UnusedAccept,
        "time_tie",
        "nothing here breaks",
    );
}

#[test]
fn a_condition_that_never_or_always_holds() {
    let model = |when: &str| {
        shop(
            "GSI1 = [\"EMAIL#{email}\",",
            &format!("when.GSI1 = \"{when}\"\nGSI1 = [\"EMAIL#{{email}}\","),
        )
        .replace("email      =", "state      = \"new | old\"\nemail      =")
    };
    passes(&model("state = 'new'"));
    breaks(
        &model("state = 'new' AND state = 'old'"),
        Code::BadPredicate,
        "state = 'new' AND",
        "never holds",
    );
    breaks(
        &model("state IN ('new', 'old')"),
        Code::BadPredicate,
        "state IN",
        "always holds",
    );
}

#[test]
fn an_attribute_that_nobody_can_set() {
    let counted = |count: &str| {
        shop(
            "-> Customer, on_delete = cascade",
            "-> Customer, counted = orders, on_delete = cascade",
        )
        .replace(
            "email      = \"text",
            &format!("orders     = \"{count}\"\nemail      = \"text"),
        )
    };
    breaks(&counted("integer(0..)"), Code::NeverSet, "integer(0..)", "");
    passes(&counted("integer(0..), default = 0"));
    passes(&counted("integer(0..)?"));
    let with = |attribute: &str| shop("placed     =", &format!("{attribute}\nplaced     ="));
    breaks(&with("old = \"never\""), Code::NeverSet, "never", "");
    passes(&with("old = \"never?\""));
    breaks(
        &with("kind = \"'FULL', internal\""),
        Code::NeverSet,
        "FULL",
        "",
    );
    passes(&with("kind = \"'FULL', internal, default = FULL\""));
}

#[test]
fn a_name_that_dynamodb_refuses() {
    let named = |name: &str| shop("[table.Shop]", &format!("[table.Shop]\nname = \"{name}\""));
    for refused in ["T", "ab", "a b c", "naïve", &"x".repeat(256)] {
        breaks(&named(refused), Code::RefusedName, "Shop", "");
    }
    for name in ["abc", "a.b-c_D9", &"x".repeat(255)] {
        passes(&named(name));
    }
    let index = shop(
        "GSI1 = [\"GSI1PK\", \"GSI1SK\"]",
        "GSI1 = { key = [\"GSI1PK\", \"GSI1SK\"], name = \"I\" }",
    );
    breaks(&index, Code::RefusedName, "GSI1", "");
    let long = "k".repeat(256);
    let key = SHOP.replace("GSI1SK", &long);
    breaks(&key, Code::RefusedName, &long, "");
}

#[test]
fn a_declaration_that_nothing_carries_out() {
    let removing = |entity: &str| {
        and(&format!(
            r##"
[entity.Gone]
key    = ["GONE#{{customerId}}", "GONE"]
open   = true
writes = []

[entity.Gone.attributes]
customerId = "id"

[move.leave]
of      = "Customer"
to      = "Gone"
removes = ["{entity}"]

[access.gone]
key     = ["GONE#{{customerId}}", "GONE"]
returns = ["Gone"]
"##
        ))
    };
    breaks(&removing("Order"), Code::NotCarriedOut, "move.leave", "");
}
