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
