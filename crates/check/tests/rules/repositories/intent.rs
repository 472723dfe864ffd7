//! What an intent must have, so that a sweep finds the snapshot of a commit that never ended.

use super::super::passes;
use super::{lists, refuses};
use monotable_check::check;
use monotable_model::diagnostic::Code::{Contradiction, MissingKey};

#[test]
fn an_intent_without_its_times() {
    let started = "startedAt  = \"timestamp, created\"";
    let help = "add `startedAt = \"timestamp, created\"`";
    for other in [
        "",
        "startedAt  = \"timestamp\"",
        "startedAt = \"epoch, created\"",
    ] {
        let bad = lists(started, other);
        refuses(&bad, MissingKey, "Intent", "when the commit began", help);
    }
    let swept = "sweptAt    = \"timestamp?, deleting, internal\"";
    let help = "add `sweptAt = \"timestamp?, deleting, internal\"`";
    for other in [
        "",
        "sweptAt = \"timestamp?\"",
        "sweptAt = \"timestamp, deleting\"",
    ] {
        let bad = lists(swept, other);
        refuses(&bad, MissingKey, "Intent", "no mark for the sweep", help);
    }
}

#[test]
fn an_intent_whose_key_shows_more_than_a_commit_knows() {
    let bad = lists(
        "PENDING#{repository}#{revId}",
        "PENDING#{partition}#{revId}",
    );
    let help = "show only `userId`, `list`, `revId`, `repository` there";
    let bad = bad.replace(
        "startedAt  =",
        "partition  = \"text, immutable, without = #\"\nstartedAt  =",
    );
    refuses(&bad, Contradiction, "partition", "shows `partition`", help);
    let bad = lists(
        "PENDING#{repository}#{revId}",
        "PENDING#{startedAt}#{revId}",
    );
    refuses(&bad, Contradiction, "startedAt", "shows `startedAt`", help);
    passes(&lists("PENDING#{repository}#{revId}", "PENDING#{revId}"));
    let bad = lists("PENDING#{repository}#{revId}", "PENDING#{repository}");
    refuses(
        &bad,
        Contradiction,
        "Intent",
        "does not show the revision",
        "show `{revId}`",
    );
}

#[test]
fn an_intent_that_cannot_hold_the_name_of_the_repository() {
    let words = "\"lists | others\"";
    let bad = lists(words, "\"list | others\"");
    refuses(
        &bad,
        Contradiction,
        "repository",
        "cannot hold `lists`",
        "add `lists` to its words",
    );
    // A spelling that is only read is not what a commit writes.
    let bad = lists(words, "\"list/lists | others\"");
    refuses(
        &bad,
        Contradiction,
        "repository",
        "cannot hold `lists`",
        "add `lists` to its words",
    );
    let bad = lists(words, "\"text(1..3), without = #\"");
    refuses(
        &bad,
        Contradiction,
        "repository",
        "cannot hold `lists`",
        "let its rule allow `lists`",
    );
    let bad = lists(words, "\"integer(0..), immutable\"");
    refuses(
        &bad,
        Contradiction,
        "repository",
        "cannot hold `lists`",
        "let it be text",
    );
    passes(&lists(words, "\"text(1..30), without = #\""));
}

#[test]
fn an_intent_that_does_not_hold_the_attributes_of_its_snapshots_key() {
    let list = "list       = \"text?, without = #\"\n";
    let help = "add `list` to its attributes; a sweep computes `U#{userId}#{list}#{revId}`";
    // A text with the partition does not do: anybody could name another's snapshot there.
    for other in ["", "partition = \"text\"\n"] {
        let bad = lists(list, other);
        refuses(&bad, MissingKey, "Intent", "does not hold `list`", help);
    }
    passes(&lists(list, "list = \"text, without = #\"\n"));
}

#[test]
fn vt_x4_an_intent_that_expires() {
    let help = "a sweep deletes intents";
    let swept = "sweptAt    = \"timestamp?, deleting, internal\"";
    for (name, attribute) in [
        ("expiresAt", "expiresAt = \"epoch, default = now + 1 day\""),
        ("goneAt", "goneAt = \"epoch?, stored = expiresAt\""),
    ] {
        let bad = lists(swept, &format!("{swept}\n{attribute}"));
        refuses(
            &bad,
            Contradiction,
            name,
            "has `expiresAt`, by which its rows expire",
            help,
        );
        // Without the table's ttl it is a number like any other.
        passes(&bad.replace("ttl = \"expiresAt\"\n", ""));
    }
    let bad = lists(swept, &format!("{swept}\n\"exp*\" = \"epoch?\""));
    let found = check(&bad).diagnostics;
    assert!(
        found
            .iter()
            .any(|found| found.message.contains("by which its rows expire")),
        "{found:?}"
    );
    passes(&lists(swept, &format!("{swept}\nexpiresAt = \"never\"")));
}
