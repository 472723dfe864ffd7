//! What the demo prints: its stores, and commands to paste.

use super::stores::DemoStore;
use monotable_describe::quote_word;
use std::fmt::Write as _;
use std::net::SocketAddr;

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
        title: "A cascade: a trial, the delete, and what is left",
        commands: &[
            "monotable delete -m yggdrasil Tree UserId=astrid TreeId=holm --dry-run",
            "monotable delete -m yggdrasil Tree UserId=astrid TreeId=holm",
            "monotable query -m yggdrasil whole_tree TreeId=holm",
        ],
    },
    Stop {
        title: "A commit to a versioned tree, what it changed, and the history that it joins",
        commands: &[
            "monotable commit -m values values userId=ada --set message='Shoes that fit' --set source=daily_update \\
      --update 'ValuesNode {\"nodeId\": \"buy-shoes\"} {\"title\": \"Buy running shoes that fit\"}'",
            "monotable diff -m values values userId=ada 2026-04-01T00:00:00Z",
            "monotable log -m values values userId=ada --graph",
        ],
    },
    Stop {
        title: "The same over HTTP, for every language; http://{address}/v1/yggdrasil/ describes it",
        commands: &[
            "curl -s 'http://{address}/v1/yggdrasil/patterns/persons_of_tree?TreeId=carvalho&limit=2'",
        ],
    },
];

/// What stands for the address of the server.
const ADDRESS: &str = "{address}";

/// The whole text.
pub(super) fn render(stores: &[DemoStore], address: SocketAddr) -> String {
    let mut text =
        format!("Five stores are served at http://{address}, where a browser shows them:\n\n");
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
    let fill_in = |text: &str| text.replace(ADDRESS, &address.to_string());
    for (number, stop) in (1..).zip(STOPS) {
        let _ = writeln!(text, "\n  # {number}. {}", fill_in(stop.title));
        for command in stop.commands {
            let _ = writeln!(text, "  {}", fill_in(command));
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
    (!is_found).then(|| quote_word(&program.display().to_string()))
}
