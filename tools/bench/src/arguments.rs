//! The command line.

use crate::failure::Failure;
use crate::load::LoadTask;
use std::path::PathBuf;

const USAGE: &str = "usage: bench [--items 1000000] [--value-bytes 1024] [--cache-mb 64] [--dir DIR] \
    [--only get,query,put,indexed,stream,overhead,memory|load] [--output text|json] [--check]";

/// The least bytes that an item of the dataset fits in.
const LEAST_VALUE_BYTES: usize = 400;

pub(crate) enum Command {
    Measure(Arguments),
    /// Load a store and say what that took: the benchmark starts itself with this.
    Load(LoadTask),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) items: u64,
    pub(crate) value_bytes: usize,
    pub(crate) cache_bytes: u64,
    /// Where to keep loaded stores for the next run; else they are removed.
    pub(crate) directory: Option<PathBuf>,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) output: Output,
    /// Whether a missed target is a failure.
    pub(crate) check: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    Text,
    Json,
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Get,
    Query,
    Put,
    Indexed,
    /// Puts with a stream against puts without.
    Stream,
    Overhead,
    Memory,
    /// A large load in one go, and reads of what it leaves. Not part of a run that names nothing.
    Load,
}

impl Subject {
    const USUAL: [Self; 7] = [
        Self::Get,
        Self::Query,
        Self::Put,
        Self::Indexed,
        Self::Stream,
        Self::Overhead,
        Self::Memory,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Query => "query",
            Self::Put => "put",
            Self::Indexed => "indexed",
            Self::Stream => "stream",
            Self::Overhead => "overhead",
            Self::Memory => "memory",
            Self::Load => "load",
        }
    }

    fn named(name: &str) -> Result<Self, Failure> {
        let mut known = Self::USUAL.into_iter().chain([Self::Load]);
        let found = known.find(|subject| subject.name() == name);
        found.ok_or_else(|| format!("nothing is called {name}; {USAGE}").into())
    }
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            items: 1_000_000,
            value_bytes: 1024,
            cache_bytes: 64 << 20,
            directory: None,
            subjects: Subject::USUAL.to_vec(),
            output: Output::Text,
            check: false,
        }
    }
}

impl Command {
    pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, Failure> {
        let words: Vec<String> = words.into_iter().collect();
        if let [load, task] = words.as_slice()
            && load == "load"
        {
            return Ok(Self::Load(serde_json::from_str(task)?));
        }
        Arguments::parse(words).map(Self::Measure)
    }
}

impl Arguments {
    fn parse(words: Vec<String>) -> Result<Self, Failure> {
        let mut arguments = Self::default();
        let mut words = words.into_iter();
        while let Some(option) = words.next() {
            let mut value = || -> Result<String, Failure> {
                let missing = || format!("{option} needs a value; {USAGE}");
                Ok(words.next().ok_or_else(missing)?)
            };
            match option.as_str() {
                "--items" => arguments.items = value()?.parse::<u64>()?.max(1_000),
                "--value-bytes" => {
                    arguments.value_bytes = value()?.parse::<usize>()?.max(LEAST_VALUE_BYTES);
                }
                "--cache-mb" => arguments.cache_bytes = value()?.parse::<u64>()? << 20,
                "--dir" => arguments.directory = Some(value()?.into()),
                "--only" => {
                    let names = value()?;
                    let subjects: Result<_, _> = names.split(',').map(Subject::named).collect();
                    arguments.subjects = subjects?;
                }
                "--output" => {
                    arguments.output = match value()?.as_str() {
                        "text" => Output::Text,
                        "json" => Output::Json,
                        _ => return Err(USAGE.into()),
                    };
                }
                "--check" => arguments.check = true,
                _ => return Err(USAGE.into()),
            }
        }
        Ok(arguments)
    }

    pub(crate) fn wants(&self, subject: Subject) -> bool {
        self.subjects.contains(&subject)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, Failure> {
        Arguments::parse(line.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn without_options_everything_is_measured_at_a_million() {
        let arguments = parse("").unwrap();
        assert_eq!(arguments.items, 1_000_000);
        assert_eq!(arguments.subjects, Subject::USUAL);
    }

    #[test]
    fn options_are_read() {
        let arguments = parse("--items 20000 --cache-mb 8 --only get,put --output json --check");
        let arguments = arguments.unwrap();
        assert_eq!(arguments.items, 20_000);
        assert_eq!(arguments.cache_bytes, 8 << 20);
        assert_eq!(arguments.subjects, [Subject::Get, Subject::Put]);
        assert_eq!(arguments.output, Output::Json);
        assert!(arguments.check);
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for line in ["--only walk", "--items", "--output xml", "fast"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
