//! What the demo prints: its stores, and commands to paste.

use super::stores::DemoStore;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;

/// One stop of the tour.
struct Stop {
    title: &'static str,
    commands: &'static [&'static str],
}

/// The stops, in order. A test pastes every command.
const STOPS: &[Stop] = &[
    Stop {
        title: "An access pattern: one Query on an index, however large the table is",
        commands: &["monotable query -m yggdrasil persons_of_tree TreeId=lindqvist --limit 5"],
    },
    Stop {
        title: "A value that is taken, whatever its spelling, and the rule that says so",
        commands: &[
            "monotable create -m yggdrasil User UserId=eve Email=ASTRID.Lindqvist@example.org PasswordHash=x",
        ],
    },
    Stop {
        title: "A cascade: the requests that it needs, the delete, and what is left",
        commands: &[
            "monotable delete -m yggdrasil Tree UserId=astrid TreeId=holm --dry-run",
            "monotable delete -m yggdrasil Tree UserId=astrid TreeId=holm",
            "monotable query -m yggdrasil whole_tree TreeId=holm",
        ],
    },
];

/// The whole text.
pub(super) fn render(stores: &[DemoStore], address: SocketAddr) -> String {
    let mut text = format!("Five stores are served at http://{address}:\n\n");
    for filled in stores {
        let model = filled.store.model();
        let _ = writeln!(
            text,
            "  {:<14} {:>2} entities, {:>3} access patterns   {}",
            model.name,
            model.stored().count(),
            model.patterns().count(),
            model.about.as_deref().unwrap_or_default()
        );
    }
    let _ = write!(
        text,
        "\nA tour, to paste into another terminal:\n\n  \
         export AWS_ENDPOINT_URL_DYNAMODB=http://{address}\n"
    );
    if let Some(program) = program_beyond_path() {
        let _ = writeln!(text, "  alias monotable={program}");
    }
    for (number, stop) in (1..).zip(STOPS) {
        let _ = writeln!(text, "\n  # {number}. {}", stop.title);
        for command in stop.commands {
            let _ = writeln!(text, "  {command}");
        }
    }
    text.push_str("\nCtrl-C ends it.\n");
    text
}

/// Where this program is, unless the shell finds it by its name.
fn program_beyond_path() -> Option<String> {
    let program = std::env::current_exe().ok()?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_found = std::env::split_paths(&path).any(|folder| folder.join("monotable") == program);
    (!is_found).then(|| quote(&program))
}

fn quote(path: &Path) -> String {
    let text = path.display().to_string();
    if text
        .chars()
        .all(|c| c.is_alphanumeric() || "/._-".contains(c))
    {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
