//! The command line.

use crate::contestant::Contestant;
use crate::failure::Failure;
use crate::phase::Phase;
use crate::rest::RestArguments;
use std::path::PathBuf;
use std::time::Duration;

const USAGE: &str = "usage: contest [--only put,indexed,get,query,transaction] \
    [--servers monotable-disk,monotable-memory,dynoxide,dynoxide-memory,dynalite,extenddb,bare] \
    [--items 200000] [--connections 16] [--requests 200000] [--seconds 10] [--peers DIR] \
    [--monotable PATH] [--before PATH] [--check] [--json]";

/// Fewer are no contest: the query needs a partition.
const LEAST_ITEMS: u64 = 100;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Contest(Arguments),
    /// The REST API against the DynamoDB API.
    Rest(RestArguments),
    /// Serve a constant body on this port: the benchmark starts itself with this.
    Bare {
        port: u16,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) phases: Vec<Phase>,
    pub(crate) contestants: Vec<Contestant>,
    /// How many items of 1 KB each server holds before the clock starts.
    pub(crate) items: u64,
    pub(crate) connections: usize,
    /// A phase ends after this many requests (a transaction counts as four) ...
    pub(crate) requests: u64,
    /// ... or after this long.
    pub(crate) longest: Duration,
    /// Where `install-peers.sh` put the peers.
    pub(crate) peers: PathBuf,
    /// Our server; else the one next to this program.
    pub(crate) monotable: Option<PathBuf>,
    /// An earlier build of our server. It takes its turn next to the present one, which must not cost more.
    pub(crate) before: Option<PathBuf>,
    /// Whether a missed target is a failure.
    pub(crate) check: bool,
    pub(crate) json: bool,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            phases: Phase::ALL.to_vec(),
            contestants: Contestant::ALL.to_vec(),
            items: 200_000,
            connections: 16,
            requests: 200_000,
            longest: Duration::from_secs(10),
            peers: PathBuf::from("target/peers"),
            monotable: None,
            before: None,
            check: false,
            json: false,
        }
    }
}

impl Command {
    pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, Failure> {
        let words: Vec<String> = words.into_iter().collect();
        if let [bare, option, port] = words.as_slice()
            && bare == "bare"
            && option == "--port"
        {
            let port = port.parse()?;
            return Ok(Self::Bare { port });
        }
        if let [rest, words @ ..] = words.as_slice()
            && rest == "rest"
        {
            return RestArguments::parse(words).map(Self::Rest);
        }
        Arguments::parse(words).map(Self::Contest)
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
                "--only" => arguments.phases = list(&value()?, Phase::named)?,
                "--servers" => arguments.contestants = list(&value()?, Contestant::named)?,
                "--items" => arguments.items = value()?.parse::<u64>()?.max(LEAST_ITEMS),
                "--connections" => arguments.connections = value()?.parse::<usize>()?.max(1),
                "--requests" => arguments.requests = value()?.parse::<u64>()?.max(4),
                "--seconds" => {
                    arguments.longest = Duration::from_secs(value()?.parse::<u64>()?.max(1));
                }
                "--peers" => arguments.peers = value()?.into(),
                "--monotable" => arguments.monotable = Some(value()?.into()),
                "--before" => arguments.before = Some(value()?.into()),
                "--check" => arguments.check = true,
                "--json" => arguments.json = true,
                _ => return Err(format!("{option} is no option; {USAGE}").into()),
            }
        }
        if arguments.before.is_some() {
            arguments.add_earlier_build();
        }
        Ok(arguments)
    }

    /// The two builds take their turns one right after the other: the speed of a shared machine moves.
    fn add_earlier_build(&mut self) {
        let ours = |contestant: &Contestant| *contestant == Contestant::MonotableDisk;
        let place = self.contestants.iter().position(ours);
        let place = place.map_or(self.contestants.len(), |place| place + 1);
        self.contestants.insert(place, Contestant::MonotableBefore);
    }
}

/// What a list of names with commas stands for.
fn list<T>(names: &str, named: fn(&str) -> Option<T>) -> Result<Vec<T>, Failure> {
    let found =
        |name| named(name).ok_or_else(|| format!("nothing is called {name}; {USAGE}").into());
    names.split(',').map(found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Command, Failure> {
        Command::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn without_options_everything_is_measured() {
        assert_eq!(parse("").unwrap(), Command::Contest(Arguments::default()));
        assert_eq!(Arguments::default().contestants.len(), 7);
    }

    #[test]
    fn options_are_read() {
        let line = "--only get,put --servers bare,dynoxide --items 500 --connections 3 --requests 40 \
                    --seconds 2 --peers p --monotable m --check --json";
        let expected = Arguments {
            phases: vec![Phase::Get, Phase::Put],
            contestants: vec![Contestant::Bare, Contestant::Dynoxide],
            items: 500,
            connections: 3,
            requests: 40,
            longest: Duration::from_secs(2),
            peers: "p".into(),
            monotable: Some("m".into()),
            before: None,
            check: true,
            json: true,
        };
        assert_eq!(parse(line).unwrap(), Command::Contest(expected));
    }

    #[test]
    fn the_earlier_build_takes_its_turn_next_to_the_present_one() {
        let Command::Contest(arguments) =
            parse("--servers bare,monotable-disk,dynoxide --before b").unwrap()
        else {
            panic!("no contest");
        };
        let expected = [
            Contestant::Bare,
            Contestant::MonotableDisk,
            Contestant::MonotableBefore,
            Contestant::Dynoxide,
        ];
        assert_eq!(arguments.contestants, expected);
        assert_eq!(arguments.before, Some("b".into()));
    }

    #[test]
    fn the_bare_server_is_a_mode() {
        assert_eq!(parse("bare --port 81").unwrap(), Command::Bare { port: 81 });
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for line in [
            "--only walk",
            "--servers redis",
            "--items",
            "fast",
            "bare --port x",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
