//! Cells that make no sense, each with the reason.

/// Mechanisms that cannot take paths, and why.
const CELLS: &[(&[&str], &[&str], &str)] = &[
    (
        &["history"],
        OF_ROWS,
        "only the rows of a snapshot have a history",
    ),
    (
        &[
            "numbers",
            "counters",
            "each",
            "derived",
            "paths",
            "collections",
            "times",
        ],
        OF_SNAPSHOTS,
        "rows of a snapshot are written with it: no other row is numbered, counted, derived or owned by them",
    ),
    (
        &["referrers", "archive", "audit", "types", "singles"],
        OF_SNAPSHOTS,
        "the log of a repository is its note, and old revisions are its archive",
    ),
    (
        &["each"],
        &[
            "move",
            "large move",
            "soft delete",
            "restore",
            "purge",
            "derived change",
            "derived loss",
        ],
        "`check` refuses moves of items of several rows, and such items that are derived",
    ),
    (
        &["times", "each", "relations", "pairs"],
        OF_LEAVES,
        "the key of a leaf is its place",
    ),
    (
        &["referrers", "collections", "paths"],
        OF_LEAVES,
        "nothing belongs to a leaf, and it has no path of its own",
    ),
    (
        &["tombstones"],
        &["derived change", "derived loss", "path change", "path loss"],
        "what follows from a row goes with it, and is not deleted by callers",
    ),
    (
        &["types"],
        &[
            "create",
            "put of a new row",
            "put",
            "update",
            "unset",
            "each",
            "delete",
            "cascade",
            "large cascade",
            "clear",
            "transact",
            "token replay",
            "token delete",
            "move",
            "large move",
            "rekey",
            "attach",
            "detach",
            "derived change",
            "derived loss",
            "load",
            "convert",
            "adopt",
            "repair",
        ],
        "no row becomes a row of another entity here",
    ),
];

const OF_SNAPSHOTS: &[&str] = &["commit", "revert", "carry"];
const OF_LEAVES: &[&str] = &["path change", "path loss"];
const OF_ROWS: &[&str] = &[
    "create",
    "put of a new row",
    "put",
    "update",
    "unset",
    "each",
    "delete",
    "cascade",
    "large cascade",
    "clear",
    "transact",
    "token replay",
    "token delete",
    "move",
    "large move",
    "rekey",
    "soft delete",
    "restore",
    "purge",
    "attach",
    "detach",
    "derived change",
    "derived loss",
    "path change",
    "path loss",
    "convert",
    "adopt",
];

/// Mechanisms that one thing cannot have together.
const PAIRS: &[(&str, &str, &str)] = &[
    ("relations", "links", ONE_RELATION),
    ("relations", "pairs", ONE_RELATION),
    ("links", "pairs", ONE_RELATION),
    (
        "paths",
        "each",
        "all rows of an item have its path, and a leaf is of one row",
    ),
];

const ONE_RELATION: &str = "a thing relates two rows, and not two pairs of them";

/// Why mechanisms cannot take a path.
pub(crate) fn reason(mechanisms: &[&str], path: &str) -> Option<&'static str> {
    let needed: &[&str] = match path {
        "each" => &["each"],
        _ => &[],
    };
    let mechanisms = [mechanisms, needed].concat();
    if path == "large move" && !mechanisms.contains(&"collections") {
        return Some("only what a thing owns makes its move large");
    }
    // With a history, things are rows of a snapshot on every path.
    let versioned = mechanisms.contains(&"history");
    let as_commit = versioned.then(|| reason_among(&mechanisms, "commit"));
    reason_among(&mechanisms, path).or(as_commit.flatten())
}

fn reason_among(mechanisms: &[&str], path: &str) -> Option<&'static str> {
    let cell = CELLS.iter().find(|(known, ways, _)| {
        ways.contains(&path) && mechanisms.iter().any(|own| known.contains(own))
    });
    let pair = PAIRS
        .iter()
        .find(|(one, other, _)| mechanisms.contains(one) && mechanisms.contains(other));
    cell.map(|(_, _, reason)| *reason)
        .or(pair.map(|(_, _, reason)| *reason))
}
