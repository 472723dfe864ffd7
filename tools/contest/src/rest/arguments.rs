//! The command line of `contest rest`.

use super::bearer::TokenAlgorithm;
use crate::failure::Failure;
use std::path::PathBuf;
use std::time::Duration;

const USAGE: &str = "usage: contest rest [--items 20000] [--connections 16] [--requests 100000] [--seconds 5] \
    [--rounds 5] [--algorithm HS256|ES256] [--in-memory] [--monotable PATH] [--check] [--json]";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RestArguments {
    /// How many rows there are to be read.
    pub(crate) items: u64,
    pub(crate) connections: usize,
    /// A measurement ends after this many creates ...
    pub(crate) requests: u64,
    /// ... and each after this long.
    pub(crate) longest: Duration,
    /// How often both sides take their turns.
    pub(crate) rounds: u64,
    /// What tokens are signed with.
    pub(crate) algorithm: TokenAlgorithm,
    /// Whether the server keeps its data in memory, where no sync hides what requests cost.
    pub(crate) in_memory: bool,
    /// Our server; else the one next to this program.
    pub(crate) monotable: Option<PathBuf>,
    /// Whether a missed target is a failure.
    pub(crate) check: bool,
    pub(crate) json: bool,
}

impl Default for RestArguments {
    fn default() -> Self {
        Self {
            items: 20_000,
            connections: 16,
            requests: 100_000,
            longest: Duration::from_secs(5),
            rounds: 5,
            algorithm: TokenAlgorithm::Hs256,
            in_memory: false,
            monotable: None,
            check: false,
            json: false,
        }
    }
}

impl RestArguments {
    pub(crate) fn parse(words: &[String]) -> Result<Self, Failure> {
        let mut arguments = Self::default();
        let mut words = words.iter();
        while let Some(option) = words.next() {
            let mut value = || -> Result<&String, Failure> {
                let missing = || format!("{option} needs a value; {USAGE}");
                Ok(words.next().ok_or_else(missing)?)
            };
            match option.as_str() {
                "--items" => arguments.items = value()?.parse::<u64>()?.max(1),
                "--connections" => arguments.connections = value()?.parse::<usize>()?.max(1),
                "--requests" => arguments.requests = value()?.parse::<u64>()?.max(1),
                "--seconds" => {
                    arguments.longest = Duration::from_secs(value()?.parse::<u64>()?.max(1));
                }
                "--rounds" => arguments.rounds = value()?.parse::<u64>()?.max(1),
                "--algorithm" => {
                    let name = value()?;
                    let known = TokenAlgorithm::from_name(name);
                    arguments.algorithm =
                        known.ok_or_else(|| format!("{name} is no algorithm; {USAGE}"))?;
                }
                "--in-memory" => arguments.in_memory = true,
                "--monotable" => arguments.monotable = Some(value()?.into()),
                "--check" => arguments.check = true,
                "--json" => arguments.json = true,
                _ => return Err(format!("{option} is no option; {USAGE}").into()),
            }
        }
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<RestArguments, Failure> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        RestArguments::parse(&words)
    }

    #[test]
    fn options_are_read() {
        assert_eq!(parse("").unwrap(), RestArguments::default());
        let line = "--items 7 --connections 3 --requests 40 --seconds 2 --rounds 1 --algorithm ES256 --in-memory --monotable m --check --json";
        let expected = RestArguments {
            items: 7,
            connections: 3,
            requests: 40,
            longest: Duration::from_secs(2),
            rounds: 1,
            algorithm: TokenAlgorithm::Es256,
            in_memory: true,
            monotable: Some("m".into()),
            check: true,
            json: true,
        };
        assert_eq!(parse(line).unwrap(), expected);
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for line in ["--items", "--items x", "--algorithm none", "fast"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
