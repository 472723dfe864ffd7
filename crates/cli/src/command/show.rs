//! `monotable show`: the rows of a revision.

use crate::exit::Failure;
use crate::rows::{Call, InputValues, ModelArguments, RowArguments, RowCommand, Verb};
use crate::versions::Asking;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable show -m values.toml values userId=ada --tree
  $ monotable show -m values.toml values userId=ada --at $REV --output json
  $ monotable show -m values.toml values userId=ada --at 2096-01-23T09:00:00Z --tombstones

--output json is {\"revision\", \"rows\"}, with --tree also \"tree\": a list of {\"row\", \"children\"}, where
\"repeated\" says that the children are shown elsewhere. Without --output a tree is drawn. A row with several parents is
drawn under each, what lies below it the first time only; later … stands for it.";

/// Show the rows of a revision of a versioned repository
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Show {
    #[command(flatten)]
    model: ModelArguments,

    /// The repository
    repository: String,

    /// The attributes of its key, NAME=VALUE each, or one JSON object
    #[arg(value_name = "KEY=VALUE")]
    key: Vec<String>,

    /// This revision instead of the head, or the last one up to a time
    #[arg(long, value_name = "REV|TIME")]
    at: Option<String>,

    /// Also rows that were deleted and left a tombstone
    #[arg(long)]
    tombstones: bool,

    /// Only what relations lead to from the row with this id: its children; with --tree everything below it
    #[arg(long, value_name = "ID")]
    under: Option<String>,

    /// Draw the hierarchy that relations make; rows that none connects come behind it
    #[arg(long)]
    tree: bool,

    #[command(flatten)]
    rows: RowArguments,
}

impl Show {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let given = InputValues::words(self.key, self.rows.notation.notation())?;
        let asked = RowCommand {
            asking: Asking {
                revisions: self.at.into_iter().collect(),
                has_tombstones: self.tombstones,
                under: self.under,
                is_drawn: self.tree,
                ..Asking::default()
            },
            ..RowCommand::new(Verb::Show, self.repository, given)
        };
        Call::new(self.model.find()?, self.rows).run(asked).await
    }
}
