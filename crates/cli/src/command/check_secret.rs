//! `monotable check-secret`: whether a text is the one that a hashed attribute was made of.

use crate::exit::{Failure, done};
use crate::rows::{
    InputValues, ModelArguments, RowArguments, RowCommand, Use, Verb, Work, explain, refuse_values,
};
use clap::Args;
use monotable_store::{AnyOperation, AnyOutput, CheckSecret as Operation, Get, Options};
use std::io::Read;

/// Read up to here: bcrypt reads 72 bytes of a text.
const MAX_BYTES: u64 = 64 * 1024;

const EXAMPLES: &str = "\
Examples:
  $ printf 'Enchantress of Numbers' | monotable check-secret -m model.toml User UserId=ada PasswordHash
  $ echo 'Enchantress of Numbers' | monotable check-secret -m model.toml User UserId=ada PasswordHash && echo welcome";

/// Ask whether a text is the one that a hashed attribute was made of
///
/// The text is read from stdin; a line break at its end does not count. The answer is the exit code: 0 if it is, and 1 if it is not, or if
/// there is no such row; the time that the answer takes does not tell these apart. Neither the text nor the hash is shown.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckSecret {
    #[command(flatten)]
    model: ModelArguments,

    /// The entity
    entity: String,

    /// The attributes of its key, NAME=VALUE each, or one JSON object
    #[arg(value_name = "NAME=VALUE", required = true)]
    key: Vec<String>,

    /// The hashed attribute
    #[arg(required = true)]
    attribute: String,

    #[command(flatten)]
    rows: RowArguments,
}

impl CheckSecret {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let source = self.model.find()?;
        if source.is_stdin() {
            let what = "stdin has the text to check, so the model is read from a file";
            return Err(Failure::usage(what));
        }
        let model = source.load()?;
        let notation = self.rows.notation.notation();
        let key = InputValues::words(self.key, notation)?;
        let asked = RowCommand::new(Verb::Get, self.entity, key);
        let AnyOperation::Get(Get { entity, key }) =
            asked.check(&model, &self.rows.caller).await?.operation
        else {
            return Err(Failure::bug("a key is asked for by a get"));
        };
        // Before the store is opened, because the text may come from a command on the same store.
        let text = read_text()?;
        let store = self.rows.open(model.clone(), Use::Old, Work::Short).await?;
        let operation = AnyOperation::CheckSecret(Operation {
            entity,
            key,
            attribute: self.attribute,
            text,
        });
        let options = Options::default();
        if self.rows.trial.explain {
            let output = &self.rows.output;
            return explain(&store, &model, operation, options, output, notation).await;
        }
        let outcome = store.run(operation, options).await;
        match outcome.map_err(|error| refuse_values(error, &model))? {
            AnyOutput::Flag(true) => {
                done("yes");
                Ok(())
            }
            _ => {
                done("no");
                Err(Failure::no())
            }
        }
    }
}

fn read_text() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin()
        .lock()
        .take(MAX_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(|error| Failure::other("cannot read stdin").caused_by(&error))?;
    if read as u64 > MAX_BYTES {
        return Err(Failure::other(format_args!(
            "stdin has more than {MAX_BYTES} bytes"
        )));
    }
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    Ok(text)
}
