//! Whatever is given to the reader, it answers with diagnostics that point into the text.
//!
//! `MONOTABLE_FUZZ=20000 cargo test -p monotable-model --test bad_input` looks for longer.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_check::check;
use monotable_model::diagnostic::Code;
use proptest::prelude::*;

const MODELS: &[&str] = &[
    "authorization",
    "formkiq",
    "processproof",
    "values",
    "yggdrasil",
];

fn model(name: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    std::fs::read_to_string(folder.join(name).join("model.toml")).unwrap()
}

/// Checks a text and that everything said about it has a place in it.
fn codes(text: &str) -> Vec<Code> {
    let reading = check(text);
    for found in &reading.diagnostics {
        let spans = std::iter::once(found.span).chain(found.labels.iter().map(|label| label.span));
        for span in spans {
            assert!(
                text.get(span.range()).is_some(),
                "{span:?} of {}: {}",
                text.len(),
                found.message
            );
        }
        assert!(!found.message.is_empty());
    }
    let has_errors = reading.diagnostics.iter().any(|found| found.is_error());
    assert_eq!(
        reading.model.is_none(),
        has_errors,
        "{:?}",
        reading.diagnostics
    );
    if let Some(model) = &reading.model {
        assert!(monotable_describe::markdown(model).contains("## Access patterns"));
    }
    reading.diagnostics.iter().map(|found| found.code).collect()
}

const HEAD: &str = "monotable = 1\nmodel = \"m\"\n[table.Tab]\nkey = [\"PK\", \"SK\"]\n";

fn with(rest: &str) -> String {
    format!("{HEAD}{rest}")
}

#[test]
fn what_is_no_toml() {
    for text in [
        "{",
        "a = ",
        "[a\n",
        "a = 1\na = 2\n",
        "\u{0}",
        "= 3",
        "[entity.A\nkey = 3",
        "a = \"\\q\"",
    ] {
        let codes = codes(text);
        assert!(codes.contains(&Code::BadToml), "{text:?}: {codes:?}");
    }
}

/// A bracket that is not closed takes in the rest of the file, in which nothing is then what it was.
#[test]
fn what_is_not_closed_is_one_error() {
    for name in MODELS {
        let text = model(name);
        for (bracket, closed) in [("]", "\nkey "), ("}", "\nis ")] {
            let lines = text.match_indices(closed).map(|(at, _)| at + 1);
            let mut found = lines.filter_map(|line| {
                let end = line + text[line..].find('\n')?;
                Some(line + text[line..end].rfind(bracket)?)
            });
            let Some(at) = found.next() else {
                continue;
            };
            let mut open = text.clone();
            open.remove(at);
            let found = check(&open).diagnostics;
            let codes: Vec<Code> = found.iter().map(|found| found.code).collect();
            assert_eq!(codes, [Code::BadToml], "{name} {bracket}");
            let help = found[0].help.as_deref().unwrap_or_default();
            assert!(help.contains("is not closed"), "{name}: {help}");
        }
    }
    // Mistakes that end with their line are all told.
    let two = "[entity.A]\nkey = \"A\nis = \"B\n[table.T]\nkey = [\"PK\"]\n";
    let found = check(&with(two)).diagnostics;
    let broken = found.iter().filter(|found| found.code == Code::BadToml);
    assert_eq!(broken.count(), 2);
}

#[test]
fn an_empty_file() {
    assert_eq!(codes(""), [Code::MissingKey, Code::MissingKey]);
}

#[test]
fn another_version() {
    assert_eq!(
        codes("monotable = 2\nmodel = \"m\"\n"),
        [Code::UnknownVersion]
    );
    assert_eq!(
        codes("monotable = \"1\"\nmodel = \"m\"\n"),
        [Code::UnknownVersion]
    );
}

#[test]
fn keys_that_nobody_knows() {
    for text in [
        "[entiti.A]\nkey = \"A\"\n",
        "[entity.A]\nkey = \"A\"\nonexists = true\n",
        "[access.a]\nkey = \"A\"\nretruns = [\"A\"]\n",
        "[tenant]\nname = \"t\"\ntype = \"text\"\nprefix = \"{t}/\"\nbar = 1\n",
    ] {
        let codes = codes(&with(text));
        assert!(codes.contains(&Code::UnknownKey), "{text:?}: {codes:?}");
    }
}

#[test]
fn patterns_without_rows() {
    let shared =
        "[entity.A.attributes]\na = \"text\"\n[access.x]\nkey = \"A\"\nreturns = [\"A\"]\n";
    assert_eq!(codes(&with(shared)), [Code::MissingKey]);
    let nowhere = "[entity.B]\nkey = \"B\"\n[access.y]\npointer = []\n";
    assert_eq!(codes(&with(nowhere)), [Code::WrongKind]);
}

#[test]
fn values_of_the_wrong_kind() {
    for text in [
        "[entity.A]\nkey = 3\n",
        "[entity.A]\nkey = \"A\"\nopen = \"yes\"\n",
        "[entity.A]\nkey = \"A\"\n[entity.A.attributes]\na = 3\n",
        "[entity]\nA = 3\n",
        "entity = []\n",
        "[access.a]\nkey = \"A\"\nreturns = [3]\nlimit = -1\n",
    ] {
        let codes = codes(&with(text));
        assert!(
            codes
                .iter()
                .any(|code| [Code::WrongKind, Code::UnknownKey].contains(code)),
            "{text:?}: {codes:?}"
        );
    }
}

#[test]
fn what_an_attribute_is_at_the_create_is_a_template_and_has_no_default() {
    let attribute = |clauses: &str| {
        let head = "[principal]\nuser = \"text\"\n[entity.A]\nkey = \"A#{id}\"\n";
        let access = "[access.a]\nkey = \"A#{id}\"\nreturns = [\"A\"]\n";
        let attributes = "[entity.A.attributes]\nid = \"ulid, generated\"\n";
        let declared = format!("maker = \"text, {clauses}\"\n");
        codes(&with(&format!("{head}{attributes}{declared}{access}")))
    };
    assert_eq!(attribute("created = {principal.user}"), []);
    assert_eq!(attribute("created = now"), [Code::BadAttribute]);
    for clauses in [
        "created = {principal.user}, default = 'x'",
        "default = 'x', created = {principal.user}",
        "created = {principal.user}, movable",
        "created = {principal.user}, generated = uuid",
    ] {
        let codes = attribute(clauses);
        assert_eq!(codes, [Code::Contradiction], "{clauses}");
    }
}

#[test]
fn circles() {
    for text in [
        "[entity.A]\nlike = \"B\"\nkey = \"A\"\n[entity.B]\nlike = \"A\"\n",
        "[entity.A]\nlike = \"A\"\nkey = \"A\"\n",
        "[type]\na = \"b\"\nb = \"a\"\n",
        "[entity.A]\nkey = \"A#{a}\"\n[entity.A.attributes]\na = \"= {b}\"\nb = \"= {a}\"\n",
        "[entity.A]\nkey = \"A\"\n[access.a]\nunion = [\"a\"]\n",
    ] {
        let codes = codes(&with(text));
        assert!(codes.contains(&Code::Cycle), "{text:?}: {codes:?}");
    }
    // References may form a circle; ids that are each other's may not.
    let circle = "[entity.A]\nkey = \"A#{b}\"\n[entity.A.attributes]\nb = \"-> B\"\n[entity.B]\nkey = \"B#{a}\"\n[entity.B.attributes]\na = \"-> A\"\n";
    assert!(codes(&with(circle)).contains(&Code::UnknownName));
    // Patterns of each other never come to an end, also if they say what they return.
    for returns in ["", "returns = [\"A\"]\n"] {
        let patterns = format!(
            "[access.a]\nunion = [\"b\"]\n{returns}[access.b]\nsteps = [\"c\"]\n{returns}[access.c]\nunion = [\"a\"]\n{returns}"
        );
        let text = with(&format!("[entity.A]\nkey = \"A\"\n{patterns}"));
        assert_eq!(codes(&text), [Code::Cycle; 3]);
    }
    // A long chain comes to an end, but whoever follows it must not run out of stack.
    let mut chain = with("[entity.A]\nkey = \"A\"\n[access.p0]\nkey = \"A\"\nreturns = [\"A\"]\n");
    for number in 1..5_000 {
        chain += &format!("[access.p{number}]\nunion = [\"p{}\"]\n", number - 1);
    }
    assert!(codes(&chain).iter().all(|code| *code == Code::TooLarge));
}

#[test]
fn a_model_that_is_too_large() {
    let text = with(&"# nothing\n".repeat(1_000_000));
    assert_eq!(codes(&text), [Code::TooLarge]);
    // As large as may be, and all of it one value, one key, one nesting.
    let most = 4 * 1024 * 1024 - 400;
    codes(&with(&format!(
        "[entity.A]\nkey = \"{}\"\n",
        "x".repeat(most)
    )));
    codes(&with(&format!(
        "[entity.A]\nkey = \"{}\"\n",
        "{".repeat(most)
    )));
    codes(&with(&format!("{} = 1\n", "a".repeat(most))));
    codes(&with(&format!("a = {}", "[".repeat(most))));
    codes(&with(&format!(
        "[entity.A]\nkey = \"A\"\nallow.read = \"{}\"\n",
        "(".repeat(most)
    )));
    codes(&with(&format!(
        "[entity.A]\nkey = \"A\"\n[entity.A.attributes]\na = \"{}text{}\"\n",
        "[".repeat(most / 2),
        "]".repeat(most / 2)
    )));
}

#[test]
fn many_entities() {
    let mut text = with("");
    for number in 0..3_000 {
        text += &format!(
            "[entity.E{number}]\nkey = [\"E{number}#{{a}}\", \"E\"]\n[entity.E{number}.attributes]\na = \"uuid\"\n"
        );
    }
    assert!(codes(&text).iter().all(|code| *code == Code::MissingKey));
}

fn cases() -> ProptestConfig {
    let cases = std::env::var("MONOTABLE_FUZZ")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(300);
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    }
}

/// What a slip of the keyboard puts into a model.
const SNIPPETS: &[&str] = &[
    "",
    "\"",
    "'",
    "{",
    "}",
    "[",
    "]",
    "*",
    "..",
    "?",
    "|",
    ":",
    "#",
    "=",
    ",",
    "\n",
    "->",
    "é",
    "\u{10FFFF}",
    "\\",
    "/",
    "(",
    ")",
    "if ",
    " where ",
    "[entity.X]\n",
    "key",
    "GSI1 = []\n",
    "like = \"X\"\n",
    "{a",
    "a}",
    "{a:05}",
    "{a..}",
    "now",
    "0",
    "-1",
    "99999999999999999999",
    "\u{0}",
    "when.GSI1 = \"a\"\n",
    "immutable",
    "movable",
];

#[derive(Clone, Debug)]
enum Slip {
    Delete {
        at: usize,
        bytes: usize,
    },
    Insert {
        at: usize,
        snippet: usize,
    },
    Copy {
        from: usize,
        bytes: usize,
        to: usize,
    },
}

fn slip() -> impl Strategy<Value = Slip> {
    let place = any::<prop::sample::Index>().prop_map(|index| index.index(1 << 20));
    prop_oneof![
        (place.clone(), 1..40_usize).prop_map(|(at, bytes)| Slip::Delete { at, bytes }),
        (place.clone(), 0..SNIPPETS.len()).prop_map(|(at, snippet)| Slip::Insert { at, snippet }),
        (place.clone(), 1..80_usize, place).prop_map(|(from, bytes, to)| Slip::Copy {
            from,
            bytes,
            to
        }),
    ]
}

fn boundary(text: &str, at: usize) -> usize {
    let mut at = at % (text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn slipped(mut text: String, slips: &[Slip]) -> String {
    for slip in slips {
        match slip {
            Slip::Delete { at, bytes } => {
                let start = boundary(&text, *at);
                let end = boundary(&text, (start + bytes).min(text.len())).max(start);
                text.replace_range(start..end, "");
            }
            Slip::Insert { at, snippet } => {
                let at = boundary(&text, *at);
                text.insert_str(at, SNIPPETS[*snippet]);
            }
            Slip::Copy { from, bytes, to } => {
                let start = boundary(&text, *from);
                let end = boundary(&text, (start + bytes).min(text.len())).max(start);
                let copied = text[start..end].to_owned();
                let to = boundary(&text, *to);
                text.insert_str(to, &copied);
            }
        }
    }
    text
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn models_with_slips(name in 0..MODELS.len(), slips in prop::collection::vec(slip(), 1..4)) {
        codes(&slipped(model(MODELS[name]), &slips));
    }

    #[test]
    fn attributes_of_snippets(snippets in prop::collection::vec(0..SNIPPETS.len(), 1..8)) {
        let text: String = snippets.iter().map(|snippet| SNIPPETS[*snippet]).collect();
        let text = text.replace(['"', '\\', '\n', '\u{0}'], "x");
        codes(&with(&format!("[entity.A]\nkey = [\"{text}\", \"{{{text}}}\"]\nallow.read = \"{text}\"\n[entity.A.attributes]\na = \"{text}\"\nb = \"text, {text}\"\nc = \"= {text}\"\n[access.a]\nkey = [\"A\", \"{text}\"]\nreturns = [\"A\"]\n")));
    }

    #[test]
    fn random_texts(text in ".{0,200}") {
        codes(&text);
        codes(&with(&text));
    }
}
