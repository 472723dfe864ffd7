//! Patterns in the layout that a model writes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use monotable_check::check;
use monotable_model::model::{Model, Way};

const NOTES: &str = r##"
monotable = 1
model     = "notes"
layout    = "LAYOUT"

[table.main]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[table.apart]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.Note]
is   = { Kind = "NOTE" }
key  = ["USER#{userId}", "NOTE#{day:date}#{noteId}"]
GSI1 = ["DAY#{day:date}", "{userId}#{noteId}"]

[entity.Note.layout.old]
key  = ["U{userId}", "K#NOTE#{day:date}##{noteId}"]
GSI1 = ["D{day:date}", "N#{userId}#{noteId}"]

[entity.Note.layout.spread]
GSI1 = ["DAY#{day:date}#{noteId:shard(4)}", "{userId}#{noteId}"]

[entity.Note.layout.moved]
table = "apart"

[entity.Note.layout.lost]
key  = ["NOTES", "{noteId}"]
GSI1 = ["ALL", "{noteId}"]

[entity.Note.attributes]
userId = "text(1..20), without = #"
noteId = "text(1..20), without = #"
day    = "date"

[entity.Mark]
is  = { Kind = "MARK" }
key = ["USER#{userId}", "MARK#{markId}"]

[entity.Mark.layout.old]
key = ["U{userId}", "K#MARK#{markId}"]

[entity.Mark.attributes]
userId = "text(1..20), without = #"
markId = "text(1..20), without = #"

[access.note]
key     = ["USER#{userId}", "NOTE#{day:date}#{noteId}"]
returns = ["Note"]

[access.notes_of_day]
key     = ["USER#{userId}", "NOTE#{day:date}#*"]
returns = ["Note"]

[access.notes_between]
key     = ["USER#{userId}", "NOTE#{day:date..}"]
returns = ["Note"]

[access.all_of_user]
key     = ["USER#{userId}"]
returns = ["Note", "Mark"]

[access.day]
GSI1    = ["DAY#{day:date}"]
returns = ["Note"]

[access.day_of_user]
GSI1    = ["DAY#{day:date}", "{userId}#*"]
returns = ["Note"]
"##;

fn notes(layout: &str) -> Model {
    let checked = check(&NOTES.replace("LAYOUT", layout));
    let findings: Vec<_> = checked
        .diagnostics
        .iter()
        .map(|found| found.message.clone())
        .collect();
    checked.model.unwrap_or_else(|| panic!("{findings:?}"))
}

/// The condition of a pattern, with its table.
fn asked(model: &Model, pattern: &str) -> String {
    let (_, access) = model
        .patterns()
        .find(|(_, access)| access.name.value == pattern)
        .unwrap();
    let (Way::Get { table, key } | Way::Query { table, key }) = &access.way else {
        panic!("{pattern} is on no key");
    };
    let templates: Vec<_> = key
        .templates()
        .map(|template| template.text.as_str())
        .collect();
    format!(
        "{} {:?} {}",
        model.table(*table).name.value,
        key.place,
        templates.join(" ")
    )
}

#[test]
fn conditions_are_said_of_the_keys_that_are_written() {
    let old = notes("old");
    assert_eq!(
        asked(&old, "note"),
        "main Primary U{userId} K#NOTE#{day:date}##{noteId}"
    );
    assert_eq!(
        asked(&old, "notes_of_day"),
        "main Primary U{userId} K#NOTE#{day:date}##*"
    );
    assert_eq!(
        asked(&old, "notes_between"),
        "main Primary U{userId} K#NOTE#{day:date..}"
    );
    assert_eq!(asked(&old, "all_of_user"), "main Primary U{userId}");
    assert_eq!(asked(&old, "day"), "main Index(0) D{day:date}");
    assert_eq!(
        asked(&old, "day_of_user"),
        "main Index(0) D{day:date} N#{userId}#*"
    );
}

#[test]
fn shards_that_are_not_told_are_all_read() {
    let spread = notes("spread");
    assert_eq!(
        asked(&spread, "day"),
        "main Index(0) DAY#{day:date}#{noteId:shard(4)..}"
    );
    assert_eq!(
        asked(&spread, "day_of_user"),
        "main Index(0) DAY#{day:date}#{noteId:shard(4)..} {userId}#*"
    );
    assert_eq!(
        asked(&spread, "note"),
        "main Primary USER#{userId} NOTE#{day:date}#{noteId}"
    );
}

#[test]
fn what_a_layout_keeps_apart_is_asked_there() {
    let moved = notes("moved");
    assert_eq!(
        asked(&moved, "notes_of_day"),
        "apart Primary USER#{userId} NOTE#{day:date}#*"
    );
    assert_eq!(asked(&moved, "day"), "apart Index(0) DAY#{day:date}");
    // Marks are still here, and old notes.
    assert_eq!(asked(&moved, "all_of_user"), "main Primary USER#{userId}");
}

#[test]
fn the_declared_keys_are_read_as_a_layout() {
    let old = notes("old");
    let (_, note) = old.entity_named("Note").unwrap();
    assert_eq!(note.primary().unwrap().hash.text, "U{userId}");
    let names: Vec<_> = note
        .layouts
        .iter()
        .map(|layout| layout.name.value.as_str())
        .collect();
    assert_eq!(names, ["default", "spread", "moved", "lost"]);
}

#[test]
fn a_question_that_the_layout_cannot_answer_is_an_error() {
    let checked = check(&NOTES.replace("LAYOUT", "lost"));
    assert!(checked.model.is_none());
    let found = |pattern: &str| {
        let message = format!("`{pattern}` cannot be asked in the layout that is written");
        checked
            .diagnostics
            .iter()
            .any(|finding| finding.message.starts_with(&message))
    };
    assert!(found("notes_of_day") && found("day") && found("note"));
}

/// Rows with the tenant's prefix and rows without it are never in one partition.
#[test]
fn what_loses_its_tenant_is_not_returned_with_what_has_one() {
    let tenant =
        "[tenant]\nname = \"site\"\ntype = \"text(1..9), without = /\"\nprefix = \"{site}/\"\n";
    let bare = "[entity.Mark.layout.bare]\nglobal = [\"key\"]\n";
    let text = NOTES.replace("LAYOUT", "bare") + tenant + bare;
    let checked = check(&text);
    let said = "`all_of_user` cannot be asked in the layout that is written: Mark stands in another partition";
    let messages: Vec<_> = checked
        .diagnostics
        .iter()
        .map(|found| &found.message)
        .collect();
    assert!(
        messages.iter().any(|message| message.starts_with(said)),
        "{messages:?}"
    );
}

#[test]
fn unknown_layouts_are_reported() {
    let checked = check(&NOTES.replace("LAYOUT", "ald"));
    let messages: Vec<_> = checked
        .diagnostics
        .iter()
        .map(|finding| &finding.message)
        .collect();
    assert_eq!(messages, ["no entity has a layout `ald`"]);
    let checked = check(
        &NOTES
            .replace("layout.lost", "layout.default")
            .replace("LAYOUT", "old"),
    );
    assert!(
        checked
            .diagnostics
            .iter()
            .any(|finding| finding.message.contains("`default` is the name"))
    );
}
