//! Indexes of several attributes: what may be written, and what is proved of them.

use super::{breaks, passes, reports};
use monotable_model::diagnostic::Code;

/// Jobs of teams: `ByState` is on attributes that jobs have anyway, `ByPlace` is filled by templates but for `kind`.
const JOBS: &str = r##"
monotable = 1
model     = "jobs"

[table.Jobs]
key     = ["PK", "SK"]
ByState = [["team", "state"], ["priority", "dueAt", "jobId"]]
ByPlace = { key = [["place", "kind"], ["area", "placeSort"]], project = "keys" }

[entity.Job]
is      = { Type = "Job" }
key     = ["JOB#{jobId}", "JOB"]
ByPlace = [["PLACE#{country}", "{kind}"], ["{city:lower}", "{dueAt}#{jobId}"]]

[entity.Job.attributes]
jobId    = "ulid, generated"
team     = "text(1..40), without = #"
state    = "open | busy | done, default = open"
priority = "integer(0..9), default = 5"
dueAt    = "timestamp, default = now + 7 days"
kind     = "repair | check, default = repair"
country  = "text, matches = /[A-Z]{2}/"
city     = "text(1..60)?"

[access.jobs_of_team]
ByState = [["{team}", "{state}"]]
returns = ["Job"]

[access.jobs_by_priority]
ByState = [["{team}", "{state}"], "{priority..}"]
returns = ["Job"]

[access.jobs_due]
ByState = [["{team}", "{state}"], ["{priority}", "{dueAt..}"]]
returns = ["Job"]

[access.jobs_at_place]
ByPlace = [["PLACE#{country}", "{kind}"], ["{city:lower}", "{dueAt..}"]]
returns = ["Job"]
"##;

#[track_caller]
fn jobs(from: &str, to: &str) -> String {
    assert_eq!(JOBS.matches(from).count(), 1, "{from:?}");
    JOBS.replace(from, to)
}

fn and(more: &str) -> String {
    format!("{JOBS}\n{more}")
}

#[test]
fn an_index_has_lists_of_attributes() {
    passes(JOBS);
    // A list of one name is that name.
    passes(&jobs(
        "[\"{team}\", \"{state}\"], \"{priority..}\"",
        "[\"{team}\", \"{state}\"], [\"{priority..}\"]",
    ));
}

#[test]
fn a_part_has_four_attributes_at_most() {
    let key = "[[\"team\", \"state\"], [\"priority\", \"dueAt\", \"jobId\"]]";
    breaks(
        &jobs(key, "[[\"a\", \"b\", \"c\", \"d\", \"e\"], \"f\"]"),
        Code::Contradiction,
        "e",
        "at most 4 attributes",
    );
    reports(
        &jobs(key, "[[\"team\", \"state\"], [\"priority\", \"team\"]]"),
        Code::Contradiction,
        "team",
        "different ones",
    );
    reports(
        &jobs(key, "[[], \"team\"]"),
        Code::WrongKind,
        "",
        "names one attribute at least",
    );
    reports(
        &jobs(key, "[[\"team\"], \"state\", \"dueAt\"]"),
        Code::WrongKind,
        "",
        "at most one sort key",
    );
    reports(
        &jobs(key, "[[[\"team\"]], \"state\"]"),
        Code::WrongKind,
        "",
        "a list of texts",
    );
}

#[test]
fn only_global_indexes_have_several_attributes() {
    reports(
        &jobs(
            "key     = [\"PK\", \"SK\"]",
            "key     = [[\"PK\", \"P2\"], \"SK\"]",
        ),
        Code::WrongKind,
        "P2",
        "a list of texts",
    );
    reports(
        &jobs(
            "ByPlace = { key",
            "Near = { key = [\"PK\", [\"city\", \"kind\"]], local = true }\nByPlace = { key",
        ),
        Code::Contradiction,
        "",
        "only a global one",
    );
    reports(
        &jobs(
            "[\"JOB#{jobId}\", \"JOB\"]",
            "[[\"JOB#{jobId}\", \"x\"], \"JOB\"]",
        ),
        Code::WrongKind,
        "",
        "each part of this key is one attribute",
    );
}

#[test]
fn an_entity_writes_a_template_for_each_attribute() {
    let key = "[[\"PLACE#{country}\", \"{kind}\"], [\"{city:lower}\", \"{dueAt}#{jobId}\"]]";
    for less in [
        "[[\"PLACE#{country}\", \"{kind}\"], \"{city:lower}\"]",
        "[\"PLACE#{country}\", [\"{city:lower}\", \"{dueAt}#{jobId}\"]]",
        "[[\"PLACE#{country}\", \"{kind}\"]]",
        "\"PLACE#{country}\"",
    ] {
        reports(
            &jobs(key, less),
            Code::WrongKind,
            "PLACE",
            "[[\"place\", \"kind\"], [\"area\", \"placeSort\"]]",
        );
    }
    // An attribute of the row stands in the index as it is.
    reports(
        &jobs(
            "country}\", \"{kind}\"], [\"{city:lower}\", \"{dueAt}#",
            "country}\", \"KIND#{kind}\"], [\"{city:lower}\", \"{dueAt}#",
        ),
        Code::Contradiction,
        "KIND#{kind}",
        "for its own sake",
    );
}

#[test]
fn a_pattern_gives_the_whole_partition_key() {
    let asked = "[[\"{team}\", \"{state}\"], \"{priority..}\"]";
    reports(
        &jobs(asked, "[\"{team}\", \"{priority..}\"]"),
        Code::WrongKind,
        "{team}",
        "`state` is missing",
    );
    reports(
        &jobs(
            asked,
            "[[\"{team}\", \"{state}\", \"{kind}\"], \"{priority..}\"]",
        ),
        Code::WrongKind,
        "{team}",
        "has 2 attributes",
    );
    for open in ["[[\"{team}\", \"{state*}\"]]", "[[\"{team}\", \"op*\"]]"] {
        reports(
            &jobs(asked, open),
            Code::BadTemplate,
            "",
            "every attribute of a partition key is one value",
        );
    }
}

#[test]
fn a_pattern_gives_sort_attributes_from_the_left() {
    let asked = "[[\"{team}\", \"{state}\"], \"{priority..}\"]";
    for open in [
        "[[\"{team}\", \"{state}\"], [\"{priority..}\", \"{dueAt..}\"]]",
        "[[\"{team}\", \"{state}\"], [\"3*\", \"{dueAt}\"]]",
    ] {
        reports(
            &jobs(asked, open),
            Code::BadTemplate,
            "",
            "given from the left, and only the last",
        );
    }
    reports(
        &jobs(
            asked,
            "[[\"{team}\", \"{state}\"], [\"{priority}\", \"{dueAt}\", \"{jobId}\", \"{kind}\"]]",
        ),
        Code::WrongKind,
        "",
        "has 3 attributes",
    );
}

/// Another entity in `ByPlace`; `KIND` is the second attribute of its partition key.
const VISIT: &str = r##"
[entity.Visit]
is      = { Type = "Visit" }
key     = ["VISIT#{visitId}", "VISIT"]
ByPlace = [["PLACE#{country}", "{kind}"], ["{town}", "V#{visitId}"]]

[entity.Visit.attributes]
visitId = "ulid, generated"
kind    = "KIND"
country = "text, matches = /[A-Z]{2}/"
town    = "text(1..60)"

[access.visits]
ByPlace = [["PLACE#{country}", "{kind}"], ["{town}", "V#*"]]
returns = ["Visit"]
"##;

#[test]
fn strangers_are_proved_to_differ_in_any_attribute() {
    // The second attribute of the partition key tells them apart.
    passes(&and(
        &VISIT.replace("KIND", "meeting | call, default = call")
    ));
    // Nothing does: a visit of the kind `check` is met by both patterns, but for the last attribute, which ULIDs decide.
    let alike = VISIT.replace("KIND", "check | call, default = call");
    reports(
        &and(&alike
            .replace("V#{visitId}", "{visitId}")
            .replace("V#*", "0*")),
        Code::StrangerInQuery,
        "jobs_at_place",
        "\"check\"",
    );
    // A word that no job has there.
    reports(
        &jobs(
            "[[\"PLACE#{country}\", \"{kind}\"], [\"{city:lower}\", \"{dueAt..}\"]]",
            "[[\"PLACE#{country}\", \"paint\"]]",
        ),
        Code::StrangerInQuery,
        "jobs_at_place",
        "can never return Job",
    );
}

#[test]
fn a_prefix_of_a_later_attribute_is_proved_closed() {
    let model = |prefix: &str| {
        let asked = "[[\"PLACE#{country}\", \"{kind}\"], [\"{city:lower}\", \"{dueAt..}\"]]";
        let own = "\"{dueAt}#{jobId}\"";
        let model = jobs(
            asked,
            &format!("[[\"PLACE#{{country}}\", \"{{kind}}\"], [\"{{city:lower}}\", \"{prefix}\"]]"),
        );
        model.replace(own, "\"{team}#{jobId}\"")
    };
    passes(&model("{team}#*"));
    let open = model("{team}#*").replace(
        "team     = \"text(1..40), without = #\"",
        "team     = \"text(1..40)\"",
    );
    reports(&open, Code::OpenPrefix, "{team}#*", "also found");
}

#[test]
fn values_of_a_partition_key_are_told_apart() {
    let joined = jobs(
        "\"PLACE#{country}\", \"{kind}\"], [\"{city:lower}\", \"{dueAt}#",
        "\"{team}{country}\", \"{kind}\"], [\"{city:lower}\", \"{dueAt}#",
    );
    let joined = joined.replace("[[\"PLACE#{country}\"", "[[\"{team}{country}\"");
    // Two capital letters end it, whatever the team is called.
    passes(&joined);
    let ambiguous = joined.replace("{team}{country}", "{team}{city|}");
    reports(&ambiguous, Code::AmbiguousKey, "", "partition key");
    // In attributes of their own the same values need no delimiter.
    let apart = JOBS.replace("\"PLACE#{country}\", \"{kind}\"", "\"{city}\", \"{kind}\"");
    passes(&apart);
}

#[test]
fn partitions_of_several_attributes_are_counted() {
    let hot = jobs(
        "is      = { Type = \"Job\" }",
        "is      = { Type = \"Job\" }\nvolume  = \"high\"",
    );
    passes(&hot);
    let hot = hot.replace(
        "team     = \"text(1..40), without = #\"",
        "team     = \"red | blue, default = red\"",
    );
    reports(
        &hot,
        Code::HotPartition,
        "",
        "a few partitions of `ByState`",
    );
}

#[test]
fn the_lengths_of_a_part_count_together() {
    let long = |count: usize| {
        let kind = format!("\"text, matches = /[a-z]{{{count}}}/\"");
        let model = jobs("\"text(1..40), without = #\"", &kind);
        model
            .replace("\"text(1..60)?\"", &kind)
            .replace(
                "[[\"PLACE#{country}\", \"{kind}\"], [\"{city:lower}\", \"{dueAt",
                "[[\"PLACE#{country}\", \"{kind}\"], [\"{city}\", \"{team}#{dueAt",
            )
            .replace("[\"{city:lower}\", \"{dueAt..}\"]", "[\"{city}\"]")
    };
    passes(&long(400));
    reports(
        &long(500),
        Code::LongKey,
        "{city}",
        "together have at least",
    );
}

#[test]
fn numbers_sort_as_numbers_only_if_rows_have_them() {
    reports(
        &jobs("\"{dueAt}#{jobId}\"", "\"{priority}#{jobId}\""),
        Code::UnpaddedNumber,
        "priority",
        "10 sorts before 9",
    );
}

#[test]
fn a_key_is_text_or_a_number() {
    reports(
        &jobs(
            "state    = \"open | busy | done, default = open\"",
            "state    = \"boolean, default = false\"",
        ),
        Code::Contradiction,
        "boolean",
        "a key is text or a number",
    );
    let task = |filled: &str| {
        format!(
            r##"
[entity.Task]
is      = {{ Type = "Task" }}
key     = ["TASK#{{taskId}}", "TASK"]
ByState = [["{{team}}", "{{state}}"], ["{filled}", "{{dueAt}}", "T#{{taskId}}"]]

[entity.Task.attributes]
taskId = "ulid, generated"
team   = "text(1..40), without = #"
state  = "new | old, default = new"
dueAt  = "timestamp, created"
"##
        )
    };
    reports(
        &and(&task("LOW")),
        Code::Contradiction,
        "LOW",
        "`priority` is text in `Task`, and a number in `Job`",
    );
}

/// A second index that has `place` in common with `ByPlace`.
fn with_second(place: &str, more: &str) -> String {
    let model = jobs(
        "ByPlace = { key",
        "ByTeam = [[\"place\", \"team\"], \"teamSort\"]\nByPlace = { key",
    );
    model.replace(
        "[entity.Job.attributes]",
        &format!(
            "ByTeam = [[\"{place}\", \"{{team}}\"], \"{{jobId}}\"]\n{more}\n[entity.Job.attributes]"
        ),
    )
}

#[test]
fn an_attribute_of_two_indexes_has_one_value() {
    passes(&with_second("PLACE#{country}", ""));
    reports(
        &with_second("COUNTRY#{country}", ""),
        Code::Contradiction,
        "PLACE",
        "a row has one value there",
    );
}

#[test]
fn a_condition_needs_an_attribute_of_its_own() {
    passes(&with_second(
        "PLACE#{country}",
        "when.ByTeam = \"state = 'open'\"",
    ));
    // All of `ByTeam` is what rows have anyway, or what `ByPlace` writes.
    let shared = with_second("PLACE#{country}", "when.ByTeam = \"state = 'open'\"").replace(
        "[\"place\", \"team\"], \"teamSort\"",
        "[\"place\", \"team\"], \"jobId\"",
    );
    reports(
        &shared,
        Code::Contradiction,
        "state = 'open'",
        "for this index alone",
    );
}

const TENANT: &str = r#"
[tenant]
name   = "siteId"
type   = "text, matches = /[a-z]{1,20}/"
prefix = "{siteId}/"
"#;

#[test]
fn the_tenants_prefix_stands_in_the_first_attribute() {
    let model = format!("{JOBS}\n{TENANT}");
    // `ByState` begins with an attribute of the row, which has no prefix.
    reports(&model, Code::MissingTenant, "", "`ByState`");
    let behind = model
        .replace("[\"area\", \"placeSort\"]", "[\"area\", \"PK\"]")
        .replace("\"{dueAt}#{jobId}\"", "\"JOB#{jobId}\"");
    reports(
        &behind,
        Code::Contradiction,
        "JOB#{jobId}",
        "begins with the tenant's prefix",
    );
}

#[test]
fn an_entity_without_one_attribute_is_never_in_the_index() {
    let note = r##"
[entity.Note]
is   = { Type = "Note" }
key  = ["NOTE#{noteId}", "NOTE"]

[entity.Note.attributes]
noteId = "ulid, generated"
team   = "text(1..40)"
state  = "open | done, default = open"
"##;
    reports(
        &and(note),
        Code::NeverInIndex,
        "text(1..40)",
        "but never `priority`",
    );
}

#[test]
fn a_policy_may_not_know_several_attributes() {
    let isolated = format!(
        "{}\n[principal]\nuserId = \"uuid\"\n\n[isolation]\npartitions = [\"{{principal.userId}}\"]\n",
        JOBS
    );
    reports(
        &isolated,
        Code::OutsideIsolation,
        "",
        "which of them a policy compares",
    );
}
