//! What `table scan` and `table query` have in common: which part of the items to show, and where to begin.

use crate::exit::{self, Failure};
use crate::notation::{Notation, NotationArguments};
use crate::output::{OutputArguments, Printer};
use crate::pages::Rest;
use crate::table_keys::{Key, parse_object};
use clap::Args;
use monotable_api::{ExpressionNames, ExpressionValues};
use monotable_item::{EncodedItem, Item};

/// Arguments of both.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadingArguments {
    /// Read this index instead of the table
    #[arg(long, value_name = "NAME")]
    pub(crate) index: Option<String>,

    /// Show only items of which this condition holds, for example 'Released > :from'
    #[arg(long, value_name = "EXPR")]
    pub(crate) filter: Option<String>,

    /// Show only these attributes, for example 'Artist, Address.City'
    #[arg(long, value_name = "EXPR")]
    pub(crate) projection: Option<String>,

    /// What the :values of the expressions stand for, for example '{":from": 1960}'
    #[arg(long, value_name = "JSON")]
    values: Option<String>,

    /// What the #names of the expressions stand for, for example '{"#y": "Released"}'
    #[arg(long, value_name = "JSON")]
    names: Option<String>,

    /// Show this many items at most
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,

    /// Go on after this key, as the note of a limited read says
    #[arg(long, value_name = "JSON")]
    pub(crate) start_key: Option<String>,

    /// See every write that was acknowledged before
    #[arg(long)]
    pub(crate) consistent: bool,

    #[command(flatten)]
    notation: NotationArguments,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

impl ReadingArguments {
    /// How items are written down.
    pub(crate) const fn notation(&self) -> Notation {
        self.notation.notation()
    }

    /// What `:values` stand for.
    pub(crate) fn values(&self) -> Result<Option<ExpressionValues>, Failure> {
        let read = |text: &String| {
            let values = self.notation().read(text);
            values.map_err(|error| Failure::usage(format_args!("--values: {error}")))
        };
        let values: Option<EncodedItem> = self.values.as_ref().map(read).transpose()?;
        Ok(values.map(|values| ExpressionValues::from(values.to_item())))
    }

    /// What `#names` stand for.
    pub(crate) fn names(&self) -> Result<Option<ExpressionNames>, Failure> {
        let read = |text: &String| {
            let names = serde_json::from_str(text);
            names.map_err(|error| {
                Failure::usage(format_args!("--names: {error}"))
                    .help("it looks like '{\"#y\": \"Released\"}'")
            })
        };
        self.names.as_ref().map(read).transpose()
    }

    /// Where to begin.
    pub(crate) fn start(&self, page_key: &Key) -> Result<Option<Item>, Failure> {
        let read = |text: &String| parse_object(page_key, text, self.notation());
        self.start_key.as_ref().map(read).transpose()
    }

    /// A printer that shows the key first.
    pub(crate) fn printer(&self, page_key: &Key) -> Printer {
        let leading = page_key.iter().map(|attribute| attribute.name.clone());
        self.output.printer(self.notation(), leading.collect())
    }
}

/// Tells the user that there is more, and how to read it.
pub(crate) fn note_rest(rest: &Rest, notation: Notation) -> Result<(), Failure> {
    match rest {
        Rest::Nothing => {}
        Rest::Unknown => exit::note("there are more items; raise --limit to see them"),
        Rest::After(key) => {
            let key = serde_json::to_string(&notation.show(key)).map_err(std::io::Error::from)?;
            // Quotes of a shell: within '...' only the quote itself needs care.
            let quoted = key.replace('\'', r"'\''");
            exit::note(format_args!(
                "there may be more items: --start-key '{quoted}'"
            ));
        }
    }
    Ok(())
}
