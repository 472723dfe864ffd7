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
  $ monotable patterns
  $ monotable patterns persons_of_tree
  $ monotable patterns -m model.toml persons_of_tree --output json

--output json is a list of {\"name\", \"about\", \"parameters\", \"returns\", \"one\", \"follows\", \"limit\", \"example\"}. A
parameter is {\"name\", \"kind\", \"given_as\", \"required\"}: given as a value, a beginning, or a range with two ends.";

/// List the access patterns of a model, with their parameters, what they return, and a command to paste
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Patterns {
    #[command(flatten)]
    model: ModelArguments,

    /// Only this pattern
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
