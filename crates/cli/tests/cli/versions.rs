//! Versioned repositories through the binary.

mod changes;
mod commits;
mod heads;
mod owners;
mod reading;

use crate::sandbox::{Outcome, Sandbox};
use serde_json::Value;

/// A versioned tree and daily plans for each user.
pub(crate) const MODEL: &str = include_str!("../../../../models/values/model.toml");

/// Two drivers; the first has a milestone with an action, and an action.
const BEGIN: &str = r#"
{"create": "ValuesNode", "values": {"nodeId": "d1", "nodeType": "DRIVER", "title": "Health"}}
{"create": "ValuesNode", "values": {"nodeId": "d2", "nodeType": "DRIVER", "title": "Work"}}
{"create": "ValuesNode", "values": {"nodeId": "m1", "nodeType": "MILESTONE", "title": "Run 10 km"}}
{"create": "ValuesNode", "values": {"nodeId": "a1", "nodeType": "ACTION", "title": "Buy shoes", "driverId": "d1", "parentMilestoneId": "m1"}}
{"create": "ValuesNode", "values": {"nodeId": "a2", "nodeType": "ACTION", "title": "Sleep", "driverId": "d1"}}
{"create": "ValuesEdge", "values": {"parentNodeId": "d1", "childNodeId": "m1"}}
{"create": "ValuesEdge", "values": {"parentNodeId": "m1", "childNodeId": "a1"}}
{"create": "ValuesEdge", "values": {"parentNodeId": "d1", "childNodeId": "a2"}}
"#;

/// The repository of a user.
const VALUES: &str = "values userId=u1";
/// What a revision of it must say.
const SAID: &str = "--set source=daily_update --set message=";

/// A directory with the model in `model.toml`.
struct Versions {
    sandbox: Sandbox,
}

impl Versions {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        sandbox.write("model.toml", MODEL);
        Self { sandbox }
    }

    /// With a first revision, and its id.
    fn begun() -> (Self, String) {
        let versions = Self::new();
        let line = format!("commit {VALUES} {SAID}begin --first");
        let made = versions.feed(&line, BEGIN).succeeded();
        let made: Value = serde_json::from_str(&made.stdout).unwrap();
        let id = made["revId"].as_str().unwrap().to_owned();
        (versions, id)
    }

    fn run(&self, line: &str) -> Outcome {
        self.sandbox.run(&arguments(line))
    }

    fn feed(&self, line: &str, stdin: &str) -> Outcome {
        self.sandbox.feed(&arguments(line), stdin.as_bytes())
    }

    #[track_caller]
    fn text(&self, line: &str) -> String {
        self.run(line).succeeded().stdout
    }

    #[track_caller]
    fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.text(line)).unwrap()
    }

    /// Commits one change, and gives the id of the revision.
    #[track_caller]
    fn commit(&self, message: &str, change: &str) -> String {
        let line = format!("commit {VALUES} {SAID}{message}");
        let made = self.feed(&line, change).succeeded();
        let made: Value = serde_json::from_str(&made.stdout).unwrap();
        made["revId"].as_str().unwrap().to_owned()
    }

    /// Gives an action another title.
    #[track_caller]
    fn retitle(&self, id: &str, title: &str) -> String {
        let change = format!(
            r#"{{"update": "ValuesNode", "key": {{"nodeId": "{id}"}}, "set": {{"title": "{title}"}}}}"#
        );
        self.commit(title, &change)
    }
}

/// The words of a command line, with `-m model.toml` after the command. What stands in '' is one word.
fn arguments(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (place, part) in line.split('\'').enumerate() {
        match place % 2 {
            0 => words.extend(part.split_whitespace()),
            _ => words.push(part),
        }
    }
    words.splice(1..1, ["-m", "model.toml"]);
    words
}
