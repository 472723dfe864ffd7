//! What a repository's head, log, snapshot rows and intent must have. Each test changes a repository that passes.

mod intent;

use super::{passes, shown};
use monotable_check::check;
use monotable_model::diagnostic::Code::{self, Contradiction, MissingKey, UnknownName};

/// Lists of users, one repository for each.
const LISTS: &str = r##"
monotable = 1
model     = "lists"

[table.Lists]
key = ["PK", "SK"]
ttl = "expiresAt"

[entity.Session]
key = ["S#{sessionId}", "SESSION"]

[entity.Session.attributes]
sessionId = "ulid, generated"
expiresAt = "epoch"

[entity.Head]
key    = ["U#{userId}", "HEAD#{list}"]
writes = []

[entity.Head.attributes]
userId = "uuid, key_only"
list   = "text, key_only, without = #"
revId  = "-> Revision, on_delete = keep"

[entity.Revision]
key    = ["U#{userId}", "REV#{list}#{revTs}#{revId}"]
writes = []

[entity.Revision.attributes]
userId  = "uuid, key_only"
list    = "text, key_only, without = #"
revId   = "ulid, generated"
revTs   = "timestamp, created"
parent  = "-> Revision?, on_delete = keep"
message = "text, immutable, without = #"

[entity.Entry]
key = ["U#{userId}#{list}#{revId}", "ENTRY#{entryId}"]

[entity.Entry.attributes]
userId  = "uuid, key_only"
list    = "text, key_only, without = #"
revId   = "ulid, key_only"
entryId = "ulid, generated"
order   = "integer(0..), position = revId"
rank    = "integer(0..)"
title   = "text(1..100), without = #"

[entity.Entry.unique]
title = { within = "snapshot" }

[entity.Note]
key = ["U#{userId}#{list}#{revId}", "NOTE#{noteId}"]

[entity.Note.attributes]
userId = "uuid, key_only"
list   = "text, key_only, without = #"
revId  = "ulid, key_only"
noteId = "ulid, generated"
area   = "text, immutable, without = #"

[entity.Intent]
key    = ["U#{userId}", "PENDING#{repository}#{revId}"]
writes = []

[entity.Intent.attributes]
userId     = "uuid, key_only"
repository = "lists | others"
revId      = "ulid"
list       = "text?, without = #"
startedAt  = "timestamp, created"
sweptAt    = "timestamp?, deleting, internal"

[repository.lists]
head     = "Head"
log      = "Revision"
entities = ["Entry", "Note"]
intent   = "Intent"

[access.entries]
key     = ["U#{userId}#{list}#{revId}", "ENTRY#*"]
returns = ["Entry"]
"##;

/// The lists with one text for another.
#[track_caller]
fn lists(from: &str, to: &str) -> String {
    assert_eq!(LISTS.matches(from).count(), 1, "{from:?}");
    LISTS.replace(from, to)
}

/// Checks that this is all that is wrong, at this text, and that the finding says what to do.
#[track_caller]
fn refuses(text: &str, code: Code, at: &str, message: &str, help: &str) {
    let found = check(text).diagnostics;
    let all: Vec<_> = found.iter().map(|found| shown(text, found)).collect();
    let all = all.join("\n");
    assert_eq!(found.len(), 1, "{all}");
    assert!(found[0].is_error());
    assert_eq!(found[0].code, code, "{all}");
    assert_eq!(text.get(found[0].span.range()), Some(at), "{all}");
    assert!(found[0].message.contains(message), "{all}");
    let said = found[0].help.as_deref().unwrap_or_default();
    assert!(said.contains(help), "{said:?}");
}

#[test]
fn a_count_is_an_optional_integer_of_the_log() {
    let counted = |declaration: &str| {
        let intent = "intent   = \"Intent\"";
        let text = lists(intent, &format!("{intent}\ncount    = \"rows\""));
        text.replace(
            "[entity.Entry]\n",
            &format!("{declaration}\n[entity.Entry]\n"),
        )
    };
    passes(&counted("rows = \"integer(0..)?\""));
    let help = "integer(0..)?";
    let missing = "the log `Revision` has no attribute `rows`";
    refuses(&counted(""), UnknownName, "rows", missing, help);
    for other in ["rows = \"integer(0..)\"", "rows = \"text?\""] {
        let message = "so it is an optional integer";
        refuses(&counted(other), Contradiction, "rows", message, help);
    }
}

#[test]
fn a_whole_repository_passes_and_has_its_references() {
    passes(LISTS);
    let model = check(LISTS).model.unwrap();
    let repository = &model.repositories[0];
    assert_eq!(repository.pointer.value, "revId");
    let parent = repository.parent.as_ref().unwrap();
    assert_eq!(parent.value, "parent");
    assert_eq!(&LISTS[repository.pointer.span.range()], "revId");
    assert_eq!(&LISTS[parent.span.range()], "parent");

    let orphans = lists("parent  = \"-> Revision?, on_delete = keep\"\n", "");
    passes(&orphans);
    let model = check(&orphans).model.unwrap();
    assert!(model.repositories[0].parent.is_none());
}

#[test]
fn an_order_outside_of_snapshots() {
    let bad = lists("entities = [\"Entry\", \"Note\"]", "entities = [\"Note\"]");
    let message = "`position` is kept in the snapshots of a repository, and `Entry` is in none";
    let at = "integer(0..), position = revId";
    refuses(&bad, Code::Contradiction, at, message, "");
}

#[test]
fn a_revision_that_is_given() {
    let bad = lists(
        "revId   = \"ulid, generated\"",
        "revId   = \"ulid, alias = id\"",
    );
    refuses(
        &bad,
        Contradiction,
        "revId",
        "is not generated",
        "generated",
    );
}

#[test]
fn a_claim_within_a_snapshot_is_of_an_attribute() {
    let bad = lists(
        "title = { within = \"snapshot\" }",
        "heading = { within = \"snapshot\" }",
    );
    refuses(
        &bad,
        UnknownName,
        "heading",
        "is no attribute of `Entry`",
        "the attribute",
    );
}

#[test]
fn a_head_without_a_pointer() {
    let bad = lists("\"-> Revision, on_delete = keep\"", "\"ulid\"");
    let help = "headRevId = \"-> Revision, on_delete = keep\"";
    refuses(
        &bad,
        MissingKey,
        "Head",
        "has no reference to the log",
        help,
    );
}

#[test]
fn a_head_with_two_pointers() {
    let bad = lists(
        "revId  = \"-> Revision, on_delete = keep\"",
        "revId  = \"-> Revision, on_delete = keep\"\nlast = \"-> Revision?, on_delete = keep\"",
    );
    refuses(
        &bad,
        Contradiction,
        "last",
        "2 references to the log `Revision`, `revId`, `last`",
        "plain ids",
    );
    let good = bad.replace("\"-> Revision?, on_delete = keep\"\n\n", "\"ulid?\"\n\n");
    passes(&good);
}

#[test]
fn a_pointer_that_is_a_list() {
    let bad = lists(
        "\"-> Revision, on_delete = keep\"",
        "\"[-> Revision], on_delete = keep\"",
    );
    refuses(
        &bad,
        Contradiction,
        "revId",
        "is a list",
        "without brackets",
    );
}

#[test]
fn a_revision_with_two_parents() {
    let bad = lists(
        "revTs   = ",
        "merged  = \"-> Revision?, on_delete = keep\"\nrevTs   = ",
    );
    refuses(
        &bad,
        Contradiction,
        "parent",
        "2 references to itself, `merged`, `parent`",
        "plain ids",
    );
    let bad = lists(
        "\"-> Revision?, on_delete = keep\"",
        "\"[-> Revision]?, on_delete = keep\"",
    );
    refuses(
        &bad,
        Contradiction,
        "parent",
        "follows one other",
        "without brackets",
    );
}

#[test]
fn a_log_whose_key_shows_more_than_a_commit_knows() {
    let bad = lists("REV#{list}#{revTs}#{revId}", "REV#{list}#{message}#{revId}");
    let help = "show only `userId`, `list`, `revId` and attributes that are `created`";
    refuses(&bad, Contradiction, "message", "shows `message`", help);
    passes(&lists("REV#{list}#{revTs}#{revId}", "REV#{list}#{revId}"));
}

#[test]
fn a_log_in_more_than_one_partition() {
    let key = "[\"U#{userId}\", \"REV#{list}#{revTs}#{revId}\"]";
    let bad = lists(
        key,
        "[\"U#{userId}#LOG#{revTs:date}\", \"REV#{list}#{revId}\"]",
    );
    refuses(
        &bad,
        Contradiction,
        "revTs",
        "not in the key of the head",
        "show only `userId`, `list` there",
    );
    let bad = lists(key, "[\"U#{userId}#LOG#{revId}\", \"REV#{list}#{revTs}\"]");
    let found = check(&bad).diagnostics;
    assert!(
        found
            .iter()
            .any(|found| found.message.contains("shows `revId`")),
        "{found:?}"
    );
    // Not all of the head's key has to be there.
    passes(&lists(
        key,
        "[\"U#{userId}#LOG#{list}\", \"{revTs}#{revId}\"]",
    ));
}

#[test]
fn a_snapshot_whose_partition_the_head_does_not_lead_to() {
    let bad = LISTS
        .replace(
            "\"U#{userId}#{list}#{revId}\", \"NOTE",
            "\"U#{userId}#{list}#{revId}#{area}\", \"NOTE",
        )
        .replace("entities = [\"Entry\", \"Note\"]", "entities = [\"Note\"]")
        .replace(
            "[entity.Entry.unique]\ntitle = { within = \"snapshot\" }\n",
            "",
        );
    let help = "let `area` be in the key of the head too";
    refuses(
        &bad,
        Contradiction,
        "area",
        "neither the head nor the revision says",
        help,
    );
}

#[test]
fn a_snapshot_in_two_partitions() {
    let bad = lists(
        "\"U#{userId}#{list}#{revId}\", \"NOTE",
        "\"N#{userId}#{list}#{revId}\", \"NOTE",
    );
    refuses(
        &bad,
        Contradiction,
        "Note",
        "another partition key",
        "let it be `U#{userId}#{list}#{revId}` too",
    );
}

#[test]
fn a_snapshot_that_does_not_name_its_revision() {
    let bad = LISTS
        .replace(
            "\"U#{userId}#{list}#{revId}\", \"NOTE#",
            "\"U#{userId}#{list}\", \"NOTE#{revId}#",
        )
        .replace("entities = [\"Entry\", \"Note\"]", "entities = [\"Note\"]")
        .replace(
            "[entity.Entry.unique]\ntitle = { within = \"snapshot\" }\n",
            "",
        );
    refuses(
        &bad,
        Contradiction,
        "Note",
        "does not name the revision",
        "show it there",
    );
}

#[test]
fn versioned_rows_with_two_orders() {
    let bad = lists(
        "rank    = \"integer(0..)\"",
        "rank    = \"integer(0..), position = revId\"",
    );
    refuses(
        &bad,
        Contradiction,
        "rank",
        "`Entry` has `order`, `rank`",
        "keep one `position`",
    );
}

#[test]
fn versioned_rows_with_a_guard_row() {
    let help = "title = { within = \"snapshot\" }";
    let bad = lists("{ within = \"snapshot\" }", "\"TITLE#{title}\"");
    refuses(
        &bad,
        Contradiction,
        "\"TITLE#{title}\"",
        "every snapshot would claim `title` again",
        help,
    );
    let bad = lists(
        "[entity.Entry.unique]\ntitle = { within = \"snapshot\" }\n",
        "[entity.Entry.unique.title]\nentity = \"Title\"\nset = { title = \"{title}\" }\n\n[entity.Title]\n\
         key = [\"TITLE#{title}\", \"TITLE\"]\nwrites = []\n\n[entity.Title.attributes]\ntitle = \"text(1..100), without = #\"\n",
    );
    refuses(
        &bad,
        Contradiction,
        "[entity.Entry.unique.title]",
        "would claim `title` again",
        help,
    );
}

#[test]
fn parts_that_have_no_rows() {
    for (name, line) in [
        ("Head", "head     = \"Head\""),
        ("Revision", "log      = \"Revision\""),
        ("Intent", "intent   = \"Intent\""),
    ] {
        let bad = lists(line, &line.replace(name, "Shared"));
        let bad =
            format!("{bad}\n[entity.Shared]\n\n[entity.Shared.attributes]\nshared = \"text?\"\n");
        refuses(&bad, Contradiction, "Shared", "has no key", "give it a key");
    }
    let bad = lists("entities = [\"Entry\", \"Note\"]", "entities = []").replace(
        "[entity.Entry.unique]\ntitle = { within = \"snapshot\" }\n",
        "",
    );
    refuses(
        &bad,
        MissingKey,
        "[repository.lists]",
        "at least one entity",
        "in `entities`",
    );
}

#[test]
fn a_log_without_a_revision() {
    let bad = lists(
        "key    = [\"U#{userId}\", \"REV#{list}#{revTs}#{revId}\"]",
        "key    = [\"LOG\", \"LOG\"]",
    )
    .replace("revId   = \"ulid, generated\"", "revId   = \"ulid\"")
    .replace("\"-> Revision?, on_delete = keep\"", "\"ulid?\"")
    .replace("\"-> Revision, on_delete = keep\"", "\"ulid\"");
    let found = check(&bad).diagnostics;
    let none = found
        .iter()
        .find(|found| found.message.contains("the revision; `Revision` has none"));
    assert!(none.is_some_and(|found| found.help.is_some()), "{found:?}");
}
