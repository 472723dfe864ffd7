//! Every command of the README, the tutorial, the tour, the pages about operations and those of the five systems prints what the page shows.
//!
//! `MONOTABLE_BLESS=1 cargo test -p monotable-cli --test cli pasted` writes what is printed into the pages, where that is not what they show: read the
//! difference, and shorten it with `...`.

mod likeness;
mod page;
mod terminal;

use likeness::Likeness;
use page::{Step, steps};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use terminal::Terminal;

/// Commands that build or test the repository.
const BUILDS: [&str; 3] = ["cargo test", "cargo build", "cargo install"];

/// Programs that not every machine has.
const MAY_BE_MISSING: [&str; 2] = ["curl", "aws"];

/// Commands that serve until they are ended.
const SERVING: [&str; 3] = ["monotable demo", "monotable dev", "monotable serve"];

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A page that is being pasted.
struct Pasting {
    terminal: Terminal,
    likeness: Likeness,
    blesses: bool,
    /// What did not print what the page shows.
    mismatches: String,
    /// Lines of the page that are not what is printed, and what should stand there.
    corrections: Vec<((usize, usize), String)>,
}

impl Pasting {
    fn new() -> Self {
        Self {
            terminal: Terminal::open(),
            likeness: Likeness::new(),
            blesses: std::env::var_os("MONOTABLE_BLESS").is_some(),
            mismatches: String::new(),
            corrections: Vec::new(),
        }
    }

    fn paste(&mut self, step: &Step) {
        let command = step.command.replace("cargo run --release --", "monotable");
        if BUILDS.iter().any(|build| command.starts_with(build)) {
            return;
        }
        let program = command.split_whitespace().next().unwrap();
        if MAY_BE_MISSING.contains(&program) && !self.terminal.has_program(program) {
            return;
        }
        if SERVING.iter().any(|serving| command.starts_with(serving)) {
            self.serve(step, &command);
        } else {
            self.run(step, &command);
        }
    }

    fn serve(&mut self, step: &Step, command: &str) {
        let likeness = &mut self.likeness;
        let (command, _comment) = command.split_once(" #").unwrap_or((command, ""));
        self.terminal.serve(command, |printed| {
            let listens = printed.contains("http://127.0.0.1:");
            let lines: Vec<&str> = printed.lines().collect();
            let page = step.output.as_ref();
            listens && page.is_none_or(|page| likeness.accept(page, &lines))
        });
    }

    fn run(&mut self, step: &Step, command: &str) {
        let printed = self.terminal.run(&self.likeness.fill_in(command));
        let code = step.exit_code();
        if printed.code != code {
            let _ = write!(
                self.mismatches,
                "$ {command}\nhas the exit code {}, not {code}:\n{}\n\n",
                printed.code, printed.text
            );
        }
        let Some(page) = &step.output else { return };
        let text = self.likeness.as_on_page(&printed.text);
        let lines: Vec<&str> = printed.text.trim_end().lines().collect();
        if self.likeness.accept(page, &lines) {
            return;
        }
        if self.blesses {
            self.corrections.push((step.place, text));
        } else {
            let _ = write!(
                self.mismatches,
                "$ {command}\nprints\n{text}\nand not\n{}\n\n",
                page.join("\n")
            );
        }
    }

    fn corrected(&self, text: &str) -> String {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for ((start, end), printed) in self.corrections.iter().rev() {
            let printed = printed.trim_end().lines().map(str::to_owned);
            lines.splice(start..end, printed);
        }
        lines.join("\n") + "\n"
    }
}

#[track_caller]
fn paste_page(name: &str) {
    let path = root().join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut pasting = Pasting::new();
    let steps = steps(&text);
    assert!(!steps.is_empty(), "{name} has no commands");
    for step in &steps {
        pasting.paste(step);
    }
    if !pasting.corrections.is_empty() {
        std::fs::write(&path, pasting.corrected(&text)).unwrap();
    }
    assert!(
        pasting.mismatches.is_empty(),
        "{name}:\n{}",
        pasting.mismatches
    );
}

#[test]
fn the_readme_prints_what_it_shows() {
    paste_page("README.md");
}

#[test]
fn the_tutorial_prints_what_it_shows() {
    paste_page("docs/tutorial.md");
}

#[test]
fn the_page_about_operations_prints_what_it_shows() {
    paste_page("docs/operations.md");
}

#[test]
fn the_page_about_migrations_prints_what_it_shows() {
    paste_page("docs/migrate.md");
}

#[test]
fn the_page_about_imports_prints_what_it_shows() {
    paste_page("docs/import.md");
}

#[test]
fn the_page_about_exports_prints_what_it_shows() {
    paste_page("docs/exports.md");
}

#[test]
fn the_tour_prints_what_it_shows() {
    paste_page("docs/tour.md");
}

/// What the demo prints is on the page, so only the commands below must be those of the tour.
#[test]
fn the_tour_of_the_demo_is_that_of_the_page() {
    let text = std::fs::read_to_string(root().join("docs/tour.md")).unwrap();
    let steps = steps(&text);
    let (demo, pasted) = steps.split_first().unwrap();
    let printed = demo
        .output
        .as_ref()
        .unwrap()
        .join("\n")
        .replace("\\\n", " ");
    let words = |command: &str| -> Vec<String> {
        let command = command.replace("\\\n", " ");
        let command = command.split("# exit code").next().unwrap();
        command.split_whitespace().map(str::to_owned).collect()
    };
    let is_command = |line: &&str| {
        let begins = |word| line.starts_with(word);
        ["export ", "monotable ", "curl "].into_iter().any(begins)
    };
    let tour: Vec<_> = printed
        .lines()
        .map(str::trim)
        .filter(is_command)
        .map(words)
        .collect();
    let pasted: Vec<_> = pasted.iter().map(|step| words(&step.command)).collect();
    assert_eq!(tour, pasted);
}

#[test]
fn the_page_about_rest_prints_what_it_shows() {
    paste_page("docs/rest.md");
}

#[test]
fn the_page_of_processproof_prints_what_it_shows() {
    paste_page("docs/systems/processproof.md");
}

#[test]
fn the_page_of_yggdrasil_prints_what_it_shows() {
    paste_page("docs/systems/yggdrasil.md");
}

#[test]
fn the_page_of_authorization_prints_what_it_shows() {
    paste_page("docs/systems/authorization.md");
}

#[test]
fn the_page_of_formkiq_prints_what_it_shows() {
    paste_page("docs/systems/formkiq.md");
}

#[test]
fn the_page_of_values_prints_what_it_shows() {
    paste_page("docs/systems/values.md");
}
