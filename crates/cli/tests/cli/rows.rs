//! The rows of a model through the binary.

mod adoption;
mod bulk;
mod bulk_create;
mod cursors;
mod environments;
mod explain;
mod patterns;
mod refusals;
#[cfg(feature = "aws")]
mod remote;
mod secrets;
mod templates;
mod transact;
mod write_and_read;

use crate::sandbox::{Outcome, Sandbox};
use serde_json::Value;

/// Family trees.
pub(crate) const MODEL: &str = include_str!("../../../../models/yggdrasil/model.toml");

/// A directory with the model in `model.toml`.
pub(crate) struct Rows {
    pub(crate) sandbox: Sandbox,
}

impl Rows {
    pub(crate) fn new() -> Self {
        let sandbox = Sandbox::new();
        sandbox.write("model.toml", MODEL);
        Self { sandbox }
    }

    /// With the user `ada`, her tree `byron`, and persons p0, p1, ... in it.
    pub(crate) fn with_persons(count: usize) -> Self {
        let rows = Self::new();
        rows.run("create User UserId=ada Email=ada@example.com PasswordHash=x")
            .succeeded();
        rows.run("create Tree UserId=ada TreeId=byron TreeName=Byron")
            .succeeded();
        for number in 0..count {
            rows.run(&person(number)).succeeded();
        }
        rows
    }

    /// Runs a command line on the model; words are separated by spaces.
    pub(crate) fn run(&self, line: &str) -> Outcome {
        self.sandbox.run(&words(line))
    }

    /// The JSON that a command prints.
    #[track_caller]
    pub(crate) fn json(&self, line: &str) -> Value {
        let outcome = self.run(line).succeeded();
        serde_json::from_str(&outcome.stdout).unwrap()
    }
}

/// The words of a command line, with `-m model.toml` after the command.
pub(crate) fn words(line: &str) -> Vec<&str> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    words.splice(1..1, ["-m", "model.toml"]);
    words
}

/// Creates a person of the tree.
pub(crate) fn person(number: usize) -> String {
    format!(
        "create Person UserId=ada TreeId=byron PersonId=p{number} FirstName=P LastName=Byron Gender=Other"
    )
}
