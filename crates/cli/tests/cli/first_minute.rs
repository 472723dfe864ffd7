//! What a newcomer does first: the demo and its tour, `init`, and `dev` while a model is being written.

use crate::http::get;
use crate::sandbox::{BINARY, GUARD, Outcome, Sandbox, clean};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

/// The last line of what `demo` and `dev` print when they are ready.
const READY: &str = "Ctrl-C ends it.";

/// A command that serves until it is ended.
struct Serving {
    child: Child,
    greeting: Vec<String>,
    stderr: Receiver<String>,
}

impl Serving {
    fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = sandbox.command();
        command.args(arguments).args(["--port", "0"]);
        let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let stderr = read_lines(child.stderr.take().unwrap());
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let mut serving = Self {
            child,
            greeting: Vec::new(),
            stderr,
        };
        for line in stdout.lines() {
            let line = line.unwrap();
            let is_ready = line.ends_with(READY);
            serving.greeting.push(line);
            if is_ready {
                return serving;
            }
        }
        let said: Vec<_> = serving.stderr.iter().collect();
        panic!("it did not start: {said:?}");
    }

    fn url(&self) -> String {
        let mut lines = self.greeting.iter();
        let url = lines.find_map(|line| line.split_once("AWS_ENDPOINT_URL_DYNAMODB="));
        url.unwrap().1.to_owned()
    }

    /// Runs a line of the shell beside it, as in another terminal.
    fn shell(&self, sandbox: &Sandbox, line: &str) -> Outcome {
        let folder = Path::new(BINARY).parent().unwrap().display();
        let mut shell = Command::new("sh");
        clean(&mut shell);
        shell
            .current_dir(sandbox.path())
            .env(
                "PATH",
                format!("{folder}:{}", std::env::var("PATH").unwrap()),
            )
            .env("AWS_ENDPOINT_URL_DYNAMODB", self.url());
        Outcome::of(shell.args(["-c", line]).output().unwrap())
    }

    /// Waits until it says this on stderr.
    fn says(&self, words: &str) -> String {
        let deadline = Instant::now() + GUARD;
        let mut seen = String::new();
        while let Ok(line) = self.stderr.recv_timeout(deadline - Instant::now()) {
            seen.push_str(&line);
            seen.push('\n');
            if line.contains(words) {
                return seen;
            }
        }
        panic!("it never says {words:?}, but: {seen}");
    }
}

/// A test that fails leaves no server behind.
impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    receiver
}

/// The commands of the tour; a line that ends in a backslash goes on in the next one.
fn commands(greeting: &[String]) -> Vec<String> {
    let text = greeting.join("\n").replace("\\\n", " ");
    let is_command = |line: &str| line.starts_with("monotable ") || line.starts_with("curl ");
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| is_command(line))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_tour_of_the_demo_shows_what_it_promises() {
    let sandbox = Sandbox::new();
    let demo = Serving::start(&sandbox, &["demo"]);
    let commands = commands(&demo.greeting);
    let outcomes: Vec<Outcome> = commands
        .iter()
        .map(|command| demo.shell(&sandbox, command))
        .collect();
    let [query, taken, tried, deleted, left, commit, diff, log, curl] = outcomes.as_slice() else {
        panic!("{commands:?}");
    };
    assert_eq!(query.code, Some(0), "{query:?}");
    assert_eq!(query.stdout.matches("\"PersonId\"").count(), 5);
    assert_eq!(taken.code, Some(254), "{taken:?}");
    assert!(taken.stderr.contains("`Email` is taken"), "{taken:?}");
    assert_eq!(tried.code, Some(0), "{tried:?}");
    assert!(tried.stderr.contains("nothing was written"), "{tried:?}");
    assert_eq!(deleted.code, Some(0), "{deleted:?}");
    assert!(deleted.stdout.contains("Holm of Bollnäs"), "{deleted:?}");
    assert_eq!(left.code, Some(0), "{left:?}");
    assert!(!left.stdout.contains("PersonId"), "{left:?}");
    assert_eq!(commit.code, Some(0), "{commit:?}");
    assert!(commit.stdout.contains("Shoes that fit"), "{commit:?}");
    assert!(
        diff.stdout.contains("Buy running shoes that fit"),
        "{diff:?}"
    );
    assert!(log.stdout.contains("(HEAD) Shoes that fit"), "{log:?}");
    assert!(
        log.stdout.contains("|/"),
        "the history has a branch: {log:?}"
    );
    assert_eq!(curl.code, Some(0), "{curl:?}");
    let page: serde_json::Value = serde_json::from_str(&curl.stdout).unwrap();
    assert_eq!(page["rows"].as_array().unwrap().len(), 2, "{page}");
}

#[test]
fn every_store_of_the_demo_verifies_clean() {
    let sandbox = Sandbox::new();
    let demo = Serving::start(&sandbox, &["demo"]);
    for model in [
        "yggdrasil",
        "values",
        "formkiq",
        "processproof",
        "authorization",
    ] {
        let verified = demo.shell(&sandbox, &format!("monotable verify -m {model}"));
        assert_eq!(verified.code, Some(0), "{model}: {verified:?}");
        let document = get(&demo.url(), &format!("/v1/{model}/openapi.json"));
        assert!(document.starts_with("HTTP/1.1 200"), "{model}: {document}");
    }
}

#[test]
fn a_demo_on_disk_is_filled_once() {
    let sandbox = Sandbox::new();
    let arguments = ["demo", "--store", "demo"];
    let demo = Serving::start(&sandbox, &arguments);
    let gone = demo.shell(
        &sandbox,
        "monotable delete -m yggdrasil Tree UserId=astrid TreeId=holm",
    );
    gone.succeeded();
    drop(demo);
    let demo = Serving::start(&sandbox, &arguments);
    let left = demo.shell(
        &sandbox,
        "monotable query -m yggdrasil whole_tree TreeId=holm --output jsonl",
    );
    assert_eq!(left.succeeded().stdout, "");
}

#[test]
fn init_writes_a_model_that_is_proved_and_never_overwrites_one() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init", "notes"]).succeeded();
    let model = std::fs::read_to_string(sandbox.path().join("notes/model.toml")).unwrap();
    let checked = sandbox.run(&["check", "--deny-warnings", "notes/model.toml"]);
    checked.succeeded();
    let spaced = sandbox.run(&["init", "my notes"]).succeeded();
    assert!(spaced.stderr.contains("  cd 'my notes'\n"), "{spaced:?}");
    sandbox
        .run(&["init", "notes"])
        .failed(253, "is there already");
    std::fs::remove_file(sandbox.path().join("notes/model.toml")).unwrap();
    // One file of the two is enough to refuse both.
    sandbox
        .run(&["init", "notes"])
        .failed(253, "sample.jsonl is there already");
    assert!(!sandbox.path().join("notes/model.toml").exists());
    sandbox.run(&["init"]).succeeded();
    assert_eq!(
        std::fs::read_to_string(sandbox.path().join("model.toml")).unwrap(),
        model
    );
}

#[test]
fn dev_proves_a_model_whenever_it_is_saved() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init"]).succeeded();
    let dev = Serving::start(&sandbox, &["dev"]);
    let notes = "monotable query notes_of_member memberId=ada --output jsonl";
    assert_eq!(
        dev.shell(&sandbox, notes)
            .succeeded()
            .stdout
            .lines()
            .count(),
        2
    );
    let model = std::fs::read_to_string(sandbox.path().join("model.toml")).unwrap();

    // A mistake is shown, and what was served before stays.
    sandbox.write(
        "model.toml",
        model.replace("NOTE#{noteId}", "NOTE#{nodeId}"),
    );
    let seen = dev.says("is served as it was before");
    assert!(seen.contains("nodeId"), "{seen}");
    let page = get(
        &dev.url(),
        "/v1/notes/patterns/notes_of_member?memberId=ada",
    );
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");

    // A new pattern can be asked for as soon as it is saved.
    let pattern = "\n[access.pinned_notes]\nkey = [\"MEMBER#{memberId}\", \"NOTE#*\"]\nfilter = \"pinned = true\"\nreturns = [\"Note\"]\n";
    let better = format!("{model}{pattern}");
    sandbox.write("model.toml", &better);
    dev.says("+ access.pinned_notes");
    let pinned = "monotable query pinned_notes memberId=ada --output jsonl";
    let pinned = dev.shell(&sandbox, pinned).succeeded().stdout;
    assert_eq!(pinned.lines().count(), 1, "{pinned}");

    // Rows in memory are made anew where the keys change.
    sandbox.write("model.toml", better.replace("NOTE#", "N#"));
    dev.says("carried out the 5 operations");
    assert_eq!(
        dev.shell(&sandbox, notes)
            .succeeded()
            .stdout
            .lines()
            .count(),
        2
    );
}

#[test]
fn dev_leaves_a_store_on_disk_alone_when_keys_change() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init"]).succeeded();
    let dev = Serving::start(&sandbox, &["dev", "--store", "kept"]);
    let model = std::fs::read_to_string(sandbox.path().join("model.toml")).unwrap();
    sandbox.write("model.toml", model.replace("NOTE#", "N#"));
    dev.says("is served as it was before");
    let page = get(
        &dev.url(),
        "/v1/notes/patterns/notes_of_member?memberId=ada",
    );
    assert!(page.contains("\"n1\""), "{page}");
}

#[test]
fn dev_keeps_the_rows_that_another_model_has_too() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init"]).succeeded();
    let model = std::fs::read_to_string(sandbox.path().join("model.toml")).unwrap();
    sandbox.write("other.toml", model.replace("\"notes\"", "\"others\""));
    let dev = Serving::start(&sandbox, &["dev", "model.toml", "other.toml"]);
    dev.says("carried out the 5 operations");
    sandbox.write("model.toml", model.replace("NOTE#", "N#"));
    let seen = dev.says("is served as it was before");
    assert!(
        seen.contains("the model others has the table Notes, too"),
        "{seen}"
    );
    for name in ["notes", "others"] {
        let notes = format!("/v1/{name}/patterns/notes_of_member?memberId=ada");
        let page = get(&dev.url(), &notes);
        assert!(page.contains("\"n1\""), "{name}: {page}");
    }
}

#[test]
fn dev_keeps_the_rows_while_the_sample_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init"]).succeeded();
    let dev = Serving::start(&sandbox, &["dev"]);
    dev.says("carried out the 5 operations");
    let file = |name: &str| std::fs::read_to_string(sandbox.path().join(name)).unwrap();
    let (model, sample) = (file("model.toml"), file("sample.jsonl"));
    let count_notes = || {
        let notes = "/v1/notes/patterns/notes_of_member?memberId=ada";
        get(&dev.url(), notes).matches("\"noteId\"").count()
    };
    // The first sample cannot be read, the second breaks a rule of the model.
    let strange =
        r#"{"create": "Note", "values": {"memberId": "nobody", "topic": "x", "text": "y"}}"#;
    for (line, prefix) in [("{\"craete\"", "N#"), (strange, "NT#")] {
        sandbox.write("sample.jsonl", format!("{sample}{line}\n"));
        sandbox.write("model.toml", model.replace("NOTE#", prefix));
        let seen = dev.says("is served as it was before");
        assert!(seen.contains("sample.jsonl, line 7"), "{seen}");
        assert!(!seen.contains("anew"), "{seen}");
        assert_eq!(count_notes(), 2);
    }
    // The version that is served, saved again, is mentioned.
    sandbox.write("model.toml", &model);
    dev.says("is again the model that is served");
    // With a sample that can be used, the rows are made anew, and nothing says that nothing was written.
    sandbox.write("sample.jsonl", &sample);
    sandbox.write("model.toml", model.replace("NOTE#", "N#"));
    let seen = dev.says("carried out the 5 operations");
    assert!(seen.contains("made anew from the sample"), "{seen}");
    assert!(!seen.contains("Nothing was written"), "{seen}");
    assert_eq!(count_notes(), 2);
}

#[test]
fn dev_serves_no_two_models_of_one_name() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init"]).succeeded();
    let model = std::fs::read_to_string(sandbox.path().join("model.toml")).unwrap();
    let other = model.replace("table.Notes", "table.Others");
    sandbox.write("other.toml", &other);
    let dev = ["dev", "model.toml", "other.toml"];
    sandbox
        .run(&[&dev[..], &["--port", "0"]].concat())
        .failed(253, "two models are called notes");
    sandbox.write("other.toml", other.replace("\"notes\"", "\"others\""));
    let dev = Serving::start(&sandbox, &dev);
    let is_served = |name: &str| {
        let list = get(&dev.url(), "/v1");
        list.contains(&format!("\"model\":\"{name}\""))
    };
    assert!(is_served("notes") && is_served("others"));
    sandbox.write("other.toml", &other);
    dev.says("two models are called notes");
    dev.says("is served as it was before");
    assert!(is_served("notes") && is_served("others"));
    // When the name is free, the model that waits for it is served.
    sandbox.write("model.toml", model.replace("\"notes\"", "\"papers\""));
    dev.says("other.toml: ");
    let deadline = Instant::now() + GUARD;
    while !is_served("papers") || !is_served("notes") || is_served("others") {
        assert!(Instant::now() < deadline, "{}", get(&dev.url(), "/v1"));
    }
}

#[test]
fn dev_without_a_model_says_how_to_begin() {
    Sandbox::new()
        .run(&["dev"])
        .failed(253, "there is no model.toml");
}

#[test]
fn dev_gives_tables_the_names_of_an_environment() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init"]).succeeded();
    let text = std::fs::read_to_string(sandbox.path().join("model.toml")).unwrap();
    let named = format!("{text}\n[environment.staging]\ntable_prefix = \"staging-\"\n");
    sandbox.write("model.toml", named);
    let dev = Serving::start(&sandbox, &["dev", "--environment", "staging"]);
    let tables = dev.shell(&sandbox, "monotable table list --output jsonl");
    let tables = tables.succeeded().stdout;
    assert!(tables.contains("\"staging-Notes\""), "{tables}");
    drop(dev);
    let dev = Serving::start(&sandbox, &["dev", "--environment", "nowhere"]);
    dev.says("has no environment `nowhere`");
}

/// Run it by `cargo test --release -p monotable-cli --test cli release_binary`.
#[cfg(not(debug_assertions))]
#[test]
fn the_release_binary_has_at_most_30_megabytes() {
    let bytes = std::fs::metadata(BINARY).unwrap().len();
    assert!(bytes <= 30_000_000, "{bytes} bytes");
}
