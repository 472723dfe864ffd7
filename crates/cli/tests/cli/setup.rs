//! `monotable setup` on tables that are there.

use crate::sandbox::Sandbox;
#[cfg(feature = "aws")]
use crate::sandbox::Served;

const MODEL: &str = r##"
monotable = 1
model     = "tickets"

[table.Main]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.Ticket]
key  = ["TICKET#{ticketId}", "TICKET"]
GSI1 = ["OWNER#{owner}", "TICKET#{ticketId}"]

[entity.Ticket.attributes]
ticketId = "text, matches = /[a-z0-9]{1,20}/"
owner    = "text, matches = /[a-z]{1,20}/"

[access.tickets_of_owner]
GSI1    = ["OWNER#{owner}", "TICKET#*"]
returns = ["Ticket"]
"##;

fn without_index() -> String {
    let model = MODEL.replace("GSI1 = [\"GSI1PK\", \"GSI1SK\"]\n", "");
    let model = model.replace("GSI1 = [\"OWNER#{owner}\", \"TICKET#{ticketId}\"]\n", "");
    let access = model.find("[access").unwrap();
    model[..access].to_owned()
}

/// The models in files, and a ticket that the old one wrote.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("new.toml", MODEL);
    sandbox.write("old.toml", without_index());
    sandbox
}

#[test]
fn an_index_of_a_new_model_is_added_and_dropped_in_a_store() {
    let sandbox = sandbox();
    let run = |words: &str| sandbox.run(&words.split(' ').collect::<Vec<_>>());
    run("create -m new.toml Ticket ticketId=a owner=ada").succeeded();
    let dropped = run("setup -m old.toml --drop-indexes").succeeded();
    assert_eq!(
        dropped.stderr,
        "drop index GSI1 of Main: the model does not know it\nMain is as the model says now in the store ./data\n"
    );
    run("get -m new.toml Ticket ticketId=a").failed(254, "`monotable setup` adds it");
    let planned = run("setup -m new.toml --dry-run").succeeded();
    assert_eq!(planned.stderr, "would add index GSI1 to Main\n");
    let added = run("setup -m new.toml").succeeded();
    assert_eq!(
        added.stderr,
        "add index GSI1 to Main\nMain is as the model says now in the store ./data\n"
    );
    let found = run("query -m new.toml tickets_of_owner owner=ada --output jsonl").succeeded();
    assert_eq!(found.stdout.lines().count(), 1);
    let again = run("setup -m new.toml").succeeded();
    assert_eq!(again.stderr, "Main is there already in the store ./data\n");
    // Kept, and told of, unless dropping is asked for.
    let kept = run("setup -m old.toml").succeeded();
    assert!(
        kept.stderr
            .contains("note: Main has the index GSI1, which the model does not know"),
        "{kept:?}"
    );
}

#[cfg(feature = "aws")]
#[test]
fn dropping_an_index_of_a_server_wants_a_confirmation() {
    let sandbox = sandbox();
    let served = Served::start(&sandbox, &[]);
    let run = |words: &str| {
        let mut words: Vec<_> = words.split(' ').collect();
        words.extend(["--endpoint-url", &served.url]);
        sandbox.run(&words)
    };
    run("setup -m new.toml").succeeded();
    run("setup -m old.toml --drop-indexes").failed(2, "--confirm Main");
    run("setup -m old.toml --drop-indexes --confirm Mian").failed(2, "`Mian` is not `Main`");
    let same = run("setup -m new.toml").succeeded();
    assert!(same.stderr.contains("is there already"), "{same:?}");
    run("setup -m old.toml --drop-indexes --confirm Main").succeeded();
    let added = run("setup -m new.toml").succeeded();
    assert!(
        added.stderr.starts_with("add index GSI1 to Main\n"),
        "{added:?}"
    );
    served.stop();
}
