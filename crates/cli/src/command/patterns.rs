//! `monotable patterns`: the access patterns of a model, with what each takes and returns.

mod example;
mod listing;

use crate::exit::Failure;
use crate::notation::Notation;
use crate::output::{OutputArguments, print};
use crate::rows::{ModelArguments, NameKind, refuse_name};
use clap::Args;
use example::ExampleCommand;
use listing::PatternEntry;
use monotable_model::plan::Plans;

const EXAMPLES: &str = "\
Examples:
  $ monotable patterns                                 # all patterns of ./model.toml
  $ monotable patterns persons_of_tree                 # one of them
  $ monotable patterns -m yggdrasil tree_by_id         # one of a demo model
  $ monotable patterns persons_of_tree --output json   # for programs

Of each pattern it prints the entities whose rows it returns, a line for each parameter with its kind and whether it is
required, and a command that asks for it. The values in that command are made up: put your own in their place. A range is
given by its ends: createdAt.from=2026-01-01 createdAt.to=2026-01-31.

--output table, the default, is text for people. --output json is a list of {\"name\", \"about\", \"parameters\", \"returns\",
\"one\", \"follows\", \"limit\", \"example\"}, and jsonl has one of these on each line. \"one\" says that there is at most one row,
\"follows\" names the references whose rows come along, \"limit\" is the most rows of a page. A parameter is {\"name\", \"kind\",
\"given_as\", \"required\"}, where \"given_as\" is value, beginning (rows whose value begins so), or range (NAME.from and NAME.to).

A model is read, and no store. `monotable query NAME` asks for a pattern, and `monotable describe` prints the whole model
with the keys and indexes that each pattern uses.";

/// List the access patterns of a model, with their parameters, what they return, and a command to paste
///
/// An access pattern is a question to the rows of a model that the model declares as [access.NAME], such as
/// persons_of_tree. `monotable query` and the REST API ask it by its name.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Patterns {
    #[command(flatten)]
    model: ModelArguments,

    /// The name of an access pattern, as the model declares it [default: all patterns]
    name: Option<String>,

    #[command(flatten)]
    output: OutputArguments,
}

impl Patterns {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let source = self.model.find()?;
        let model = source.load()?;
        if let Some(name) = &self.name
            && model.pattern_named(name).is_none()
        {
            let known = NameKind::Pattern.list(&model);
            return Err(refuse_name(NameKind::Pattern, name, &known, &model));
        }
        let plans = Plans::new(&model);
        let example = ExampleCommand::new(&model, source.option());
        let is_wanted = |name: &str| self.name.as_deref().is_none_or(|wanted| wanted == name);
        let patterns = model
            .patterns()
            .filter(|(_, access)| is_wanted(&access.name.value));
        let entries: Vec<_> = patterns
            .map(|(id, access)| PatternEntry::new(&model, access, plans.pattern(id), &example))
            .collect();
        if self.output.is_text(Notation::Plain) {
            return print(listing::render(&entries).as_bytes());
        }
        let mut text = self
            .output
            .render_documents(&entries)
            .map_err(std::io::Error::from)?;
        text.push(b'\n');
        print(&text)
    }
}
