//! An operation that is only tried: `--dry-run` and `--explain`.

use super::explanation;
use super::model::LoadedModel;
use super::refusal::refuse_values;
use crate::exit::{Failure, note};
use crate::notation::Notation;
use crate::output::{OutputArguments, print, visible};
use clap::Args;
use monotable_store::{AnyOperation, Error, ErrorKind, Options, Store};

/// How an operation is tried without being carried out.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct TrialArguments {
    /// Read and decide, but write nothing
    ///
    /// What only the write itself finds out is not seen, for example that there is such a row already.
    #[arg(help_heading = "Trying it first", long)]
    pub(crate) dry_run: bool,

    /// Show the requests that the command sends, as an SDK would send them, and what they cost; nothing is written
    ///
    /// What the command reads is read. Requests of one round are sent side by side.
    #[arg(help_heading = "Trying it first", long)]
    pub(crate) explain: bool,

    /// With --explain: show it for an empty store in memory
    #[arg(help_heading = "Trying it first", long, requires = "explain")]
    #[cfg_attr(feature = "aws", arg(conflicts_with_all = ["store", "endpoint_url", "aws"]))]
    #[cfg_attr(not(feature = "aws"), arg(conflicts_with = "store"))]
    pub(crate) in_memory: bool,
}

impl TrialArguments {
    /// Whether nothing is to be written.
    pub(crate) const fn is_trial(self) -> bool {
        self.dry_run || self.explain
    }
}

/// Shows the requests of an operation. That a row is missing or in the way is no failure: the requests are those of
/// the operation all the same.
pub(crate) async fn explain(
    store: &Store,
    model: &LoadedModel,
    operation: AnyOperation,
    options: Options,
    output: &OutputArguments,
    notation: Notation,
) -> Result<(), Failure> {
    let explanation = store.explain(operation, options).await;
    let text = if output.is_text(notation) {
        explanation::render_text(&explanation)?
    } else {
        explanation::render_json(&explanation)?
    };
    print(&text)?;
    match explanation.outcome {
        Err(error) if is_about_rows(&error) => {
            let name = error.kind().name();
            note(format_args!(
                "with what is stored it ends so: {name}: {}",
                visible(&error.to_string())
            ));
            Ok(())
        }
        Err(error) => Err(refuse_values(error, model)),
        Ok(_) => Ok(()),
    }
}

/// Whether other rows would have let the operation go on.
fn is_about_rows(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::NotFound | ErrorKind::Conflict | ErrorKind::Forbidden
    )
}
