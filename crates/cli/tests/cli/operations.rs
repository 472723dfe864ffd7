//! Whole stores: filled, dumped, loaded, backed up and restored.

use crate::sandbox::{Sandbox, Served, kill, wait};
use std::process::Stdio;

const MODELS: [&str; 5] = [
    "yggdrasil",
    "values",
    "formkiq",
    "processproof",
    "authorization",
];

fn run(sandbox: &Sandbox, line: &str) -> crate::sandbox::Outcome {
    sandbox.run(&line.split(' ').collect::<Vec<_>>())
}

/// The items of a store as a backup in lines shows them, without the store's own.
fn items(sandbox: &Sandbox, model: &str, store: &str) -> Vec<String> {
    let lines = run(sandbox, &format!("backup -m {model} --store {store}")).succeeded();
    let lines = lines.stdout.lines();
    let mut lines: Vec<String> = lines
        .filter(|line| !line.contains("monotable#store"))
        .map(str::to_owned)
        .collect();
    lines.sort();
    lines
}

#[test]
fn all_five_models_come_back_from_a_backup_item_for_item() {
    for model in MODELS {
        let sandbox = Sandbox::new();
        run(&sandbox, &format!("seed -m {model}")).succeeded();
        let before = items(&sandbox, model, "data");
        assert!(before.len() > 20, "{model}");
        run(&sandbox, &format!("backup -m {model} saved")).succeeded();
        std::fs::remove_dir_all(sandbox.path().join("data")).unwrap();
        let restored = run(&sandbox, &format!("restore -m {model} saved --verify")).succeeded();
        assert!(
            restored
                .stderr
                .contains("has exactly the items of the backup"),
            "{restored:?}"
        );
        assert_eq!(items(&sandbox, model, "data"), before, "{model}");
        run(&sandbox, &format!("verify -m {model}")).succeeded();
    }
}

#[test]
fn a_restore_into_a_store_with_other_items_is_not_proved() {
    let sandbox = Sandbox::new();
    run(&sandbox, "seed -m yggdrasil").succeeded();
    run(&sandbox, "backup -m yggdrasil saved").succeeded();
    run(&sandbox, "seed -m yggdrasil --count 3 --store other").succeeded();
    run(
        &sandbox,
        "restore -m yggdrasil saved --verify --store other",
    )
    .failed(1, "has other items than the backup");
}

#[test]
fn a_damaged_backup_leaves_no_store_behind() {
    let sandbox = Sandbox::new();
    run(&sandbox, "seed -m yggdrasil --count 20").succeeded();
    run(&sandbox, "backup -m yggdrasil saved").succeeded();
    let export = std::fs::read_dir(sandbox.path().join("saved/AWSDynamoDB")).unwrap();
    let export = export.map(|entry| entry.unwrap().path()).next().unwrap();
    let data = std::fs::read_dir(export.join("data")).unwrap();
    let data = data.map(|entry| entry.unwrap().path()).next().unwrap();
    let mut content = std::fs::read(&data).unwrap();
    content.pop();
    std::fs::write(&data, content).unwrap();
    let refused = run(&sandbox, "restore -m yggdrasil saved --store copy");
    let refused = refused.failed(255, "is damaged: its checksum is another one");
    assert!(
        refused.stderr.contains("nothing was written"),
        "{refused:?}"
    );
    assert!(!sandbox.path().join("copy").exists());
    std::fs::remove_file(export.join("manifest-summary.json")).unwrap();
    run(&sandbox, "restore -m yggdrasil saved --store copy").failed(255, "was cut off");
    run(&sandbox, "backup -m yggdrasil saved").failed(255, "is not empty");
}

#[test]
fn made_up_rows_obey_every_model() {
    for model in MODELS.into_iter().filter(|model| *model != "values") {
        let sandbox = Sandbox::new();
        let made = run(&sandbox, &format!("seed -m {model} --count 120 --seed 3")).succeeded();
        assert!(
            made.stderr.contains("120 rows created"),
            "{model}: {made:?}"
        );
        run(&sandbox, &format!("verify -m {model}")).succeeded();
    }
    // Its rows are made by commits, and the others refer to them.
    let sandbox = Sandbox::new();
    let made = run(&sandbox, "seed -m values --count 120 --seed 3").succeeded();
    for entity in ["PlanTodo", "PlanRevision"] {
        let told = format!("rows of {entity}\n");
        assert!(made.stderr.contains(&told), "{entity}: {made:?}");
    }
    run(&sandbox, "verify -m values").succeeded();
}

#[test]
fn a_dump_loads_into_a_new_store() {
    let sandbox = Sandbox::new();
    run(&sandbox, "seed -m yggdrasil --count 80 --seed 5").succeeded();
    run(&sandbox, "dump -m yggdrasil --entity Tree trees.csv").succeeded();
    let trees = std::fs::read_to_string(sandbox.path().join("trees.csv")).unwrap();
    assert!(
        trees.lines().next().unwrap().contains("TreeName"),
        "{trees}"
    );
    let dumped = run(&sandbox, "dump -m yggdrasil rows.jsonl").succeeded();
    assert!(
        dumped
            .stderr
            .contains("note: secrets are not written: User.PasswordHash"),
        "{dumped:?}"
    );
    // Users need a password, which nothing tells.
    let rows = std::fs::read_to_string(sandbox.path().join("rows.jsonl")).unwrap();
    let rows = rows.replace(
        "\"$entity\":\"User\"",
        "\"$entity\":\"User\",\"PasswordHash\":\"x\"",
    );
    sandbox.write("rows.jsonl", &rows);
    let loaded = run(&sandbox, "load -m yggdrasil rows.jsonl --store copy").succeeded();
    assert!(
        loaded
            .stderr
            .contains(&format!("{} rows created", rows.lines().count())),
        "{loaded:?}"
    );
    run(&sandbox, "verify -m yggdrasil --store copy").succeeded();
    let again = run(&sandbox, "load -m yggdrasil rows.jsonl --store copy").succeeded();
    assert!(again.stderr.contains("0 rows created"), "{again:?}");
    assert!(!sandbox.path().join("rows.jsonl.progress").exists());
}

#[test]
fn refused_lines_are_told_with_their_line_and_reason() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "users.csv",
        "UserId,Email,PasswordHash\nada,ada@example.com,x\nbob,ADA@example.com,x\n",
    );
    let load = "load -m yggdrasil --entity User users.csv --refused again.csv";
    let refused = run(&sandbox, load).failed(255, "1 row refused; 1 row created");
    assert!(
        refused.stderr.contains("error: line 3: Conflict"),
        "{refused:?}"
    );
    let kept = std::fs::read_to_string(sandbox.path().join("again.csv")).unwrap();
    assert_eq!(kept, "UserId,Email,PasswordHash\nbob,ADA@example.com,x\n");
    run(&sandbox, "load -m yggdrasil --entity Usr users.csv").failed(2, "has no entity `Usr`");
}

#[test]
fn a_killed_load_goes_on() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &["--in-memory"]);
    let row = |n: usize| {
        format!(
            "{{\"$entity\":\"User\",\"UserId\":\"u{n}\",\"Email\":\"u{n}@example.com\",\"PasswordHash\":{{\"bcrypt\":\"$2b$10$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW\"}}}}\n"
        )
    };
    sandbox.write("users.jsonl", (0..400).map(row).collect::<String>());
    let load = [
        "load",
        "-m",
        "yggdrasil",
        "users.jsonl",
        "--endpoint-url",
        &served.url,
    ];
    run(
        &sandbox,
        &format!("setup -m yggdrasil --endpoint-url {}", served.url),
    )
    .succeeded();
    let mut child = sandbox
        .command()
        .args(load)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let progress = sandbox.path().join("users.jsonl.progress");
    for _ in 0..6000 {
        if progress.exists() || child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    kill("KILL", child.id());
    wait(&mut child);
    let rest = sandbox.run(&load).succeeded();
    assert!(rest.stderr.contains("rows created"), "{rest:?}");
    let dump = [
        "dump",
        "-m",
        "yggdrasil",
        "--entity",
        "User",
        "--endpoint-url",
        &served.url,
    ];
    assert_eq!(sandbox.run(&dump).succeeded().stdout.lines().count(), 400);
    assert!(!progress.exists());
    served.stop();
}

#[test]
fn the_target_makes_a_backup_of_its_own() {
    let sandbox = Sandbox::new();
    run(&sandbox, "seed -m yggdrasil --count 5").succeeded();
    let made = run(&sandbox, "backup -m yggdrasil --on-demand before").succeeded();
    assert!(made.stdout.contains(":table/Yggdrasil/backup/"), "{made:?}");
}

#[test]
fn a_copy_goes_to_another_server_and_follows() {
    let (source, target) = (Sandbox::new(), Sandbox::new());
    let (from, to) = (
        Served::start(&source, &["--in-memory"]),
        Served::start(&target, &["--in-memory"]),
    );
    let (from_url, to_url) = (from.url.clone(), to.url.clone());
    let on = |url: &str, line: &str| run(&source, &format!("{line} --endpoint-url {url}"));
    on(&from_url, "setup -m formkiq").succeeded();
    on(&from_url, "seed -m formkiq").succeeded();
    let copy = format!("copy -m formkiq --to-endpoint-url {to_url} --verify");
    let copied = on(&from_url, &copy).succeeded();
    assert!(
        copied.stderr.contains("has exactly the items of"),
        "{copied:?}"
    );
    assert!(!source.path().join("copy.progress").exists());
    // What is there is replaced only if that is confirmed.
    on(&from_url, &copy).failed(2, "--confirm");
    on(&from_url, "copy -m yggdrasil --to-store twin").failed(254, "ResourceNotFoundException");
    on(
        &from_url,
        &format!("copy -m formkiq --to-endpoint-url {from_url}"),
    )
    .failed(2, "would be copied to itself");
    from.stop();
    to.stop();
}

const STREAMED: &str = r##"
monotable = 1
model     = "tickets"

[table.Main]
key    = ["PK", "SK"]
stream = "keys"

[entity.Ticket]
key = ["TICKET#{ticketId}", "TICKET"]

[entity.Ticket.attributes]
ticketId = "text, matches = /[a-z0-9-]{1,20}/"
title    = "text(1..60)"
"##;

#[test]
fn a_followed_copy_ends_when_nothing_changes() {
    let sandbox = Sandbox::new();
    sandbox.write("model.toml", STREAMED);
    run(&sandbox, "seed --count 30").succeeded();
    let copied = run(&sandbox, "copy --to-store twin --follow --idle 1 --verify").succeeded();
    assert!(
        copied.stderr.contains("the target has caught up"),
        "{copied:?}"
    );
    assert_eq!(
        items(&sandbox, "model.toml", "data"),
        items(&sandbox, "model.toml", "twin")
    );
    run(&sandbox, "seed -m yggdrasil --store trees").succeeded();
    run(
        &sandbox,
        "copy -m yggdrasil --store trees --to-store twin2 --follow",
    )
    .failed(255, "has no stream");
}

#[test]
fn a_dry_run_of_seed_writes_nothing() {
    let sandbox = Sandbox::new();
    let told = "carried out in an empty store in memory";
    for words in ["", " --count 20 --seed 2"] {
        let dry = run(&sandbox, &format!("seed -m yggdrasil --dry-run{words}")).succeeded();
        assert!(dry.stderr.contains("nothing else is written"), "{dry:?}");
        let told = if words.is_empty() {
            told
        } else {
            "20 rows created"
        };
        assert!(dry.stderr.contains(told), "{dry:?}");
        assert!(!sandbox.path().join("data").exists());
    }
    // Not into a store that is there, either: neither by name nor on a server, which is not even asked.
    run(&sandbox, "seed -m yggdrasil --count 5").succeeded();
    let before = items(&sandbox, "yggdrasil", "data");
    run(&sandbox, "seed -m yggdrasil --dry-run").succeeded();
    assert_eq!(items(&sandbox, "yggdrasil", "data"), before);
    run(
        &sandbox,
        "seed -m yggdrasil --dry-run --endpoint-url http://127.0.0.1:9",
    )
    .succeeded();
}

const TICKETS: &str = r##"
monotable = 1
model     = "tickets"

[table.Tickets]
key = ["PK", "SK"]

[entity.Ticket]
key = ["TICKET#{ticketId}", "TICKET"]

[entity.Ticket.attributes]
ticketId = "text, matches = /[a-z0-9-]{1,20}/"
title    = "text(1..60)"
"##;

#[test]
fn a_migration_has_the_server_make_a_backup_first() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &["--in-memory"]);
    sandbox.write("old.toml", TICKETS);
    let grown = "title    = \"text(1..60)\"\nlevel    = \"integer(0..9), default = 1\"";
    sandbox.write(
        "new.toml",
        TICKETS.replace("title    = \"text(1..60)\"", grown),
    );
    let on = |line: &str| run(&sandbox, &format!("{line} --endpoint-url {}", served.url));
    on("setup -m old.toml").succeeded();
    on("seed -m old.toml --count 5").succeeded();
    let migrate = "migrate run old.toml new.toml --confirm Tickets";
    let made = on(&format!("{migrate} --journal one")).succeeded();
    let arn = ":table/Tickets/backup/";
    assert!(
        made.stderr.contains("the server has made the backup arn:"),
        "{made:?}"
    );
    assert!(made.stderr.contains(arn), "{made:?}");
    assert!(made.stderr.contains("5 rows written"), "{made:?}");
    run(
        &sandbox,
        "restore -m old.toml before-migration --store before --verify",
    )
    .succeeded();
    // Each journal has its backup made once, and none if there is one already.
    let again = on(&format!("{migrate} --journal one")).succeeded();
    assert!(!again.stderr.contains(arn), "{again:?}");
    let none = on(&format!("{migrate} --journal two --no-backup")).succeeded();
    assert!(!none.stderr.contains(arn), "{none:?}");
    served.stop();
}

#[test]
fn a_store_is_not_copied_to_itself_under_another_name() {
    let sandbox = Sandbox::new();
    run(&sandbox, "seed -m yggdrasil --count 3").succeeded();
    run(&sandbox, "copy -m yggdrasil --store data --to-store ./data")
        .failed(2, "would be copied to itself");
    let served = Served::start(&sandbox, &["--in-memory"]);
    let url = &served.url;
    run(
        &sandbox,
        &format!("setup -m yggdrasil --endpoint-url {url}"),
    )
    .succeeded();
    let alias = url.replace("127.0.0.1", "localhost");
    let copy = format!("copy -m yggdrasil --endpoint-url {url} --to-endpoint-url {alias}");
    run(&sandbox, &copy).failed(2, "would be copied to itself");
    assert!(!sandbox.path().join("copy.progress").exists());
    served.stop();
}

#[test]
fn tables_that_are_missing_are_told_with_what_makes_them() {
    let sandbox = Sandbox::new();
    run(&sandbox, "seed -m yggdrasil --count 3").succeeded();
    run(&sandbox, "backup -m yggdrasil saved").succeeded();
    let served = Served::start(&sandbox, &["--in-memory"]);
    for line in ["backup -m yggdrasil other", "dump -m yggdrasil"] {
        let line = format!("{line} --endpoint-url {}", served.url);
        let refused = run(&sandbox, &line).failed(254, "ResourceNotFoundException");
        assert!(
            refused.stderr.contains("run `monotable setup`"),
            "{refused:?}"
        );
    }
    served.stop();
}

#[test]
fn a_folder_is_no_file_of_rows() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path().join("rows")).unwrap();
    run(&sandbox, "load -m yggdrasil rows").failed(2, "rows is a folder");
    assert!(!sandbox.path().join("data").exists());
}

#[test]
fn refused_rows_of_csv_are_kept_whole() {
    let sandbox = Sandbox::new();
    run(&sandbox, "seed -m yggdrasil").succeeded();
    sandbox.write(
        "trees.csv",
        "UserId,TreeId,TreeName\nines,a\nines,b,Beech\n",
    );
    let load = "load -m yggdrasil --entity Tree trees.csv --refused again.csv";
    run(&sandbox, load).failed(
        255,
        "line 2: the first line names 3 fields, and this one has 2",
    );
    let kept = std::fs::read_to_string(sandbox.path().join("again.csv")).unwrap();
    assert_eq!(kept, "UserId,TreeId,TreeName\nines,a\n");
}

#[test]
fn the_backup_of_another_model_is_refused() {
    let sandbox = Sandbox::new();
    run(&sandbox, "seed -m yggdrasil --count 3").succeeded();
    run(&sandbox, "backup -m yggdrasil saved").succeeded();
    run(&sandbox, "restore -m values saved --store other")
        .failed(255, "is of the table `Yggdrasil`, and none of its");
}
