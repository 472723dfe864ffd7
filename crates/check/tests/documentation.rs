//! Every example of docs/model.md is what it says, and the page knows every word of the language.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::span::position;
use std::collections::BTreeSet;

const SECTIONS: &[&str] = &[
    "setting",
    "type",
    "principal",
    "isolation",
    "tenant",
    "table.N",
    "environment.N",
    "entity.N",
    "repository.N",
    "access.N",
    "derive.N",
    "check.N",
    "grant.N",
    "move.N",
    "path.N",
    "carry.N",
    "audit.N",
    "archive.N",
];

const BASES: &[&str] = &[
    "text",
    "integer",
    "number",
    "boolean",
    "date",
    "timestamp",
    "epoch",
    "url",
    "json",
    "map",
    "any",
    "binary",
    "never",
    "uuid",
    "uuidv7",
    "ulid",
    "token(51)",
    "tenant",
];

const FORMATS: &[&str] = &[
    "date",
    "seconds",
    "zoned",
    "millis",
    "micros",
    "05",
    "trim",
    "trim(/)",
    "lower",
    "upper",
    "nfkc",
    "e164",
    "e164(49)",
    "mask(8,4)",
    "sha256",
    "fit(900)",
    "shard(8)",
    "sort",
    "join(::)",
    "next",
];

/// As they begin in the table of clauses.
const CLAUSES: &[&str] = &[
    "generated",
    "generated = uuid",
    "created",
    "updated",
    "deleting",
    "default = ",
    "immutable",
    "movable",
    "matches = ",
    "without = ",
    "blank",
    "required if ",
    "only if ",
    "exactly if ",
    "where ",
    "secret",
    "secret = mask(8,4)",
    "hashed = ",
    "stored = ",
    "alias = ",
    "key_only",
    "internal",
    "distinct",
    "version = ",
    "numbered = ",
    "position = ",
    "top = ",
    "same = ",
    "counted = ",
    "missing = warn",
    "on_delete = ",
    "via = ",
];

const FILE_KEYS: &[&str] = &["monotable", "model", "about", "open", "layout"];
const TABLE_KEYS: &[&str] = &[
    "key",
    "name",
    "ttl",
    "pitr",
    "stream",
    "deletion_protection",
    "billing",
    "tags",
    "about",
];
const INDEX_KEYS: &[&str] = &["key", "name", "project", "local"];
const ENTITY_KEYS: &[&str] = &[
    "covers",
    "about",
    "like",
    "table",
    "is",
    "id",
    "key",
    "when.GSI1",
    "global",
    "open",
    "writes",
    "on_exists",
    "allow.read",
    "allow.write",
    "allow.create",
    "allow.update",
    "allow.delete",
    "must.name",
    "owns",
    "each",
    "tombstone",
    "upgrade.N",
    "also",
    "volume",
    "layout.N",
    "accept.rule",
    "unique.claim",
    "relation",
    "attributes",
];
/// With the sign after a way: those stand in the table as they are written.
const ACCESS_KEYS: &[&str] = &[
    "key =",
    "through =",
    "union =",
    "steps =",
    "walk =",
    "resolve =",
    "diff =",
    "pointer =",
    "returns",
    "drops",
    "one",
    "order",
    "limit",
    "consistent",
    "filter",
    "sort",
    "distinct",
    "follow",
    "only",
    "set",
    "layout",
    "accept",
    "covers",
    "about",
];

/// Keys of the other sections, by the heading under which they stand.
const OTHER_KEYS: &[(&str, &[&str])] = &[
    (
        "Relations",
        &["ends", "acyclic", "depth", "serial", "owning"],
    ),
    ("Environments", &["table_prefix", "tables", "about"]),
    ("Tenants", &["name", "type", "prefix", "bare"]),
    ("Isolation", &["partitions", "iam"]),
    ("Schema versions", &["rename", "set", "drop", "when"]),
    (
        "Repositories",
        &["head", "log", "entities", "intent", "count"],
    ),
    ("Derived rows", &["of", "entity", "each", "when", "set"]),
    (
        "Checks",
        &[
            "of", "on", "when", "must", "value", "among", "none", "absent", "set",
        ],
    ),
    (
        "Grants",
        &["of", "access", "allows", "above", "none", "unless", "set"],
    ),
    (
        "Moves",
        &[
            "of", "to", "rest", "undo", "purge", "removes", "changes", "carries", "set",
        ],
    ),
    ("Paths", &["of", "split", "folder", "leaf"]),
    ("Carries", &["of", "from", "to", "when", "set"]),
    ("Audits", &["of", "on", "entity", "set"]),
    ("Archives", &["of", "changed", "deleted", "entity", "set"]),
];

struct Block {
    line: usize,
    mark: String,
    text: String,
}

fn page() -> String {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/model.md");
    std::fs::read_to_string(page).unwrap()
}

/// The blocks of TOML with the rest of their info string.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in page.lines().enumerate() {
        match &mut open {
            Some(_) if line == "```" => blocks.extend(open.take()),
            Some(block) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            None => {
                if let Some(mark) = line.strip_prefix("```toml") {
                    open = Some(Block {
                        line: number + 1,
                        mark: mark.trim().to_owned(),
                        text: String::new(),
                    });
                }
            }
        }
    }
    assert!(open.is_none(), "the last block has no end");
    blocks
}

/// The text of a heading, up to the next one of its level or above.
fn section<'p>(page: &'p str, heading: &str) -> &'p str {
    let start = page
        .find(&format!("\n## {heading}\n"))
        .unwrap_or_else(|| panic!("no heading `## {heading}`"));
    let rest = &page[start + 1..];
    &rest[..rest[1..].find("\n## ").map_or(rest.len(), |end| end + 1)]
}

fn whole(block: &Block, base: &str) -> String {
    if block.text.contains("monotable = ") {
        block.text.clone()
    } else {
        format!("{base}\n{}", block.text)
    }
}

fn show(block: &Block, text: &str, diagnostic: &Diagnostic) -> String {
    let at = position(text, diagnostic.span.start);
    let line = text
        .lines()
        .nth(at.line.saturating_sub(1))
        .unwrap_or_default();
    format!(
        "docs/model.md:{} ({}): {} {}\n    {line}",
        block.line, block.mark, diagnostic.code, diagnostic.message
    )
}

fn check(block: &Block, base: &str) -> Vec<String> {
    let text = whole(block, base);
    let diagnostics = monotable_check::check(&text).diagnostics;
    let Some(code) = block.mark.strip_prefix("bad=") else {
        let known = matches!(block.mark.as_str(), "base" | "model" | "part");
        assert!(known, "docs/model.md:{}: `{}`", block.line, block.mark);
        return diagnostics
            .iter()
            .map(|found| show(block, &text, found))
            .collect();
    };
    let found: BTreeSet<_> = diagnostics.iter().map(|found| found.code.id()).collect();
    if found == BTreeSet::from([code]) {
        Vec::new()
    } else {
        let mut wrong = vec![format!("docs/model.md:{}: {code} was expected", block.line)];
        wrong.extend(diagnostics.iter().map(|found| show(block, &text, found)));
        wrong
    }
}

#[test]
fn every_example_is_what_it_says() {
    let page = page();
    let blocks = blocks(&page);
    let bases: Vec<_> = blocks.iter().filter(|block| block.mark == "base").collect();
    let [base] = bases.as_slice() else {
        panic!("one block is the base");
    };
    let wrong: Vec<_> = blocks
        .iter()
        .flat_map(|block| check(block, &base.text))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_section_has_an_example() {
    let page = page();
    let all: String = blocks(&page)
        .iter()
        .map(|block| block.text.as_str())
        .collect();
    for name in SECTIONS {
        let header = match name.strip_suffix(".N") {
            Some(name) => format!("\n[{name}."),
            None => format!("\n[{name}]\n"),
        };
        assert!(all.contains(&header), "no example of [{name}]");
        assert!(
            page.contains(&format!("`[{name}]`")),
            "[{name}] is not explained"
        );
    }
}

/// Asserts that every word stands in a table of that part, as the first words of a code span.
fn explained(part: &str, what: &str, words: &[&str]) {
    let tables: Vec<_> = part.lines().filter(|line| line.starts_with('|')).collect();
    for word in words {
        let exact = format!("`{word}`");
        let begins = format!("`{word}");
        let open = word.ends_with([' ', '=']);
        let found = tables
            .iter()
            .any(|line| line.contains(&exact) || (open && line.contains(&begins)));
        assert!(found, "{what} `{word}` is in no table");
    }
}

#[test]
fn every_key_is_explained() {
    let page = page();
    explained(section(&page, "The file"), "key of the file", FILE_KEYS);
    explained(
        section(&page, "Tables and indexes"),
        "key of a table",
        TABLE_KEYS,
    );
    explained(
        section(&page, "Tables and indexes"),
        "key of an index",
        INDEX_KEYS,
    );
    explained(section(&page, "Entities"), "key of an entity", ENTITY_KEYS);
    explained(
        section(&page, "Access patterns"),
        "key of a pattern",
        ACCESS_KEYS,
    );
    for (heading, keys) in OTHER_KEYS {
        let part = section(&page, heading);
        match *heading {
            // Two keys, in a sentence.
            "Isolation" => keys
                .iter()
                .for_each(|key| assert!(part.contains(&format!("`{key}`")), "{key}")),
            _ => explained(part, heading, keys),
        }
    }
}

#[test]
fn every_word_is_explained() {
    let page = page();
    explained(section(&page, "Templates"), "format", FORMATS);
    explained(section(&page, "Attributes"), "type", BASES);
    explained(section(&page, "Attributes"), "clause", CLAUSES);
}

#[test]
fn every_format_and_base_has_an_example() {
    let page = page();
    let all: String = blocks(&page)
        .iter()
        .map(|block| block.text.as_str())
        .collect();
    for format in FORMATS {
        // The number in brackets is the example's own.
        let name = format.split('(').next().unwrap();
        assert!(
            all.contains(&format!(":{name}")),
            "no example of `:{format}`"
        );
    }
    for base in BASES {
        let name = base.split('(').next().unwrap();
        let used = ["\"", "[", "'"].iter().any(|before| {
            ["\"", "?", ",", "(", "]"]
                .iter()
                .any(|after| all.contains(&format!("{before}{name}{after}")))
        });
        assert!(used, "no example of the type `{base}`");
    }
}

#[test]
fn every_code_is_explained() {
    let page = page();
    for code in Code::ALL {
        let (id, name) = (code.id(), code.name());
        let place = if code.is_acceptable() {
            format!("### {id} `{name}`")
        } else {
            format!("| {id} | `{name}` |")
        };
        assert!(page.contains(&place), "{id} {name} is not explained");
        let shown = [format!("toml bad={id}\n")];
        // Nobody reads a model of 4 MiB on a page.
        let needless = *code == Code::TooLarge;
        assert!(
            needless || shown.iter().any(|mark| page.contains(mark.as_str())),
            "{id} has no example"
        );
    }
}
