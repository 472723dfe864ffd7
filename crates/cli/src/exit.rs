//! How the process ends: its exit code, and what it says on stderr.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done; also when the reader of a pipe had enough |
//! | 1 | what is stored contradicts the model, or the answer to a question is no |
//! | 2 | the command line is wrong, or asks for what the model refuses whatever is stored |
//! | 130 | interrupted |
//! | 253 | configuration: no store, no such profile, a port that is taken, a model with errors |
//! | 254 | DynamoDB answered with an error, or what is stored does not allow it: a conflict, no such row |
//! | 255 | anything else: bad input, a failed disk |

mod operation;
mod refusal;

use anstyle::{AnsiColor, Style};
use monotable_api::Error;
use std::error::Error as StdError;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default().bold();

/// What kind of end it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Violations,
    /// The answer to a question, which the command has told already.
    No,
    Usage,
    Configuration,
    Service,
    Other,
    Interrupted,
    /// Whoever reads our output has gone, as `head` does.
    BrokenPipe,
}

impl Kind {
    const fn code(self) -> u8 {
        match self {
            Self::BrokenPipe => 0,
            Self::Violations | Self::No => 1,
            Self::Usage => 2,
            Self::Interrupted => 130,
            Self::Configuration => 253,
            Self::Service => 254,
            Self::Other => 255,
        }
    }
}

/// Why a command did not do what it was asked to.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: Kind,
    what: String,
    causes: Vec<String>,
    help: Option<String>,
}

impl Failure {
    fn new(kind: Kind, what: impl fmt::Display) -> Self {
        Self {
            kind,
            what: what.to_string(),
            causes: Vec::new(),
            help: None,
        }
    }

    /// What is stored contradicts the model.
    pub(crate) fn violations(what: impl fmt::Display) -> Self {
        Self::new(Kind::Violations, what)
    }

    /// The answer to what was asked is no.
    pub(crate) fn no() -> Self {
        Self::new(Kind::No, "no")
    }

    /// The command line is wrong.
    pub(crate) fn usage(what: impl fmt::Display) -> Self {
        Self::new(Kind::Usage, what)
    }

    /// The surroundings do not allow it: no store, no region, a taken port.
    pub(crate) fn configuration(what: impl fmt::Display) -> Self {
        Self::new(Kind::Configuration, what)
    }

    /// What is stored does not have it.
    pub(crate) fn missing(what: impl fmt::Display) -> Self {
        Self::new(Kind::Service, format_args!("NotFound: {what}"))
    }

    /// Anything else.
    pub(crate) fn other(what: impl fmt::Display) -> Self {
        Self::new(Kind::Other, what)
    }

    /// The user pressed Ctrl-C.
    pub(crate) fn interrupted() -> Self {
        Self::new(Kind::Interrupted, "interrupted")
    }

    /// A panic, which its own message on stderr explains.
    pub(crate) fn bug(panic: impl fmt::Display) -> Self {
        Self::other(format_args!("this is a bug in monotable: {panic}"))
    }

    /// One more line on why.
    #[must_use]
    pub(crate) fn because(mut self, cause: impl fmt::Display) -> Self {
        self.causes.push(cause.to_string());
        self
    }

    /// Says which line of the input it is about.
    #[must_use]
    pub(crate) fn at_line(mut self, line: u64) -> Self {
        self.what = format!("line {line}: {}", self.what);
        self
    }

    /// What the user can do about it.
    #[must_use]
    pub(crate) fn help(mut self, help: impl fmt::Display) -> Self {
        self.help = Some(help.to_string());
        self
    }

    /// What failed, and the errors that led to it.
    #[must_use]
    pub(crate) fn caused_by(mut self, error: &dyn StdError) -> Self {
        let mut cause = Some(error);
        while let Some(error) = cause {
            self.causes.push(error.to_string());
            cause = error.source();
        }
        self
    }

    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        writeln!(to, "{ERROR}error:{ERROR:#} {}", self.what)?;
        for cause in &self.causes {
            writeln!(to, "  {cause}")?;
        }
        match &self.help {
            Some(help) => writeln!(to, "{HELP}help:{HELP:#} {help}"),
            None => Ok(()),
        }
    }
}

/// In one line, for the log.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        self.causes
            .iter()
            .try_for_each(|cause| write!(f, ": {cause}"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let failure = Self::new(Kind::Service, &error);
        match advice(&error) {
            Some(advice) => failure.help(advice),
            None => failure,
        }
    }
}

/// What to do about some of the service's errors.
fn advice(error: &Error) -> Option<&'static str> {
    match error {
        Error::ValidationException { message } if message.contains("reserved keyword") => Some(
            "let a #name stand for the attribute: write #a in the expression, and --names '{\"#a\": \"NAME\"}'",
        ),
        Error::ValidationException { message } if message.contains("backfilling") => Some(
            "the index is still being filled and cannot be read until it is: `monotable setup` waits for it; reads of the table itself work meanwhile",
        ),
        Error::ValidationException { message } if message.contains("the specified index") => {
            Some("the table has no such index: `monotable setup` makes those of a model")
        }
        Error::ResourceNotFoundException { .. } => Some("`monotable table list` lists the tables"),
        Error::ServiceUnavailable { .. } => {
            Some("check the address, and that the server is running; then try again")
        }
        Error::SerializationException { .. } => Some(
            "check the address (--endpoint-url, or AWS_ENDPOINT_URL_DYNAMODB): what listens there does not speak DynamoDB's protocol; `monotable serve` starts one that does",
        ),
        Error::ThrottlingException { .. }
        | Error::ProvisionedThroughputExceededException { .. }
        | Error::RequestLimitExceeded { .. } => Some(
            "the table takes no more requests now, and trying again did not help: wait, write more slowly (--rate of `copy`), or raise its units (`billing` in the model, then `monotable setup`)",
        ),
        Error::ExpiredTokenException { .. } => Some(
            "the session of these credentials has expired: sign in again (`aws sso login`), or set new ones",
        ),
        Error::InvalidSignatureException { message }
            if message.starts_with("Signature expired") || message.contains("not yet current") =>
        {
            Some("the clock of this machine is wrong: set it, and try again")
        }
        Error::InvalidSignatureException { message } if message.contains("region") => Some(
            "the request was signed for another region than the endpoint's: name it with --region, or set AWS_REGION",
        ),
        Error::UnrecognizedClientException { .. } | Error::InvalidSignatureException { .. } => {
            Some("check the credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or --profile")
        }
        _ => None,
    }
}

/// Only writing the output fails with a plain IO error; files name themselves where they fail.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::new(Kind::BrokenPipe, error);
        }
        Self::other(format_args!("cannot write the output: {error}"))
    }
}

/// Says on stderr what went wrong, and gives the exit code.
pub(crate) fn report(outcome: Result<(), Failure>) -> ExitCode {
    let Err(failure) = outcome else {
        return ExitCode::SUCCESS;
    };
    if !matches!(failure.kind, Kind::BrokenPipe | Kind::No) {
        tell(&failure);
    }
    ExitCode::from(failure.kind.code())
}

/// Says on stderr what went wrong while the command goes on.
pub(crate) fn tell(failure: &Failure) {
    // There is nobody left to tell that stderr is gone.
    let _ = failure.write(&mut anstream::stderr());
}

/// Tells the user something beside the output.
pub(crate) fn note(what: impl fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{NOTE}note:{NOTE:#} {what}");
}

/// Tells the user what was done all the same.
pub(crate) fn warn(what: impl fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{NOTE}warning:{NOTE:#} {what}");
}

/// Says that something is done.
pub(crate) fn done(what: impl fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{what}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_what_why_and_what_to_do() {
        let failure = Failure::other("the cup is empty")
            .because("somebody drank it")
            .help("fill it");
        let mut text = Vec::new();
        failure
            .write(&mut anstream::StripStream::new(&mut text))
            .unwrap();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "error: the cup is empty\n  somebody drank it\nhelp: fill it\n"
        );
    }

    #[test]
    fn a_cause_brings_its_own_causes() {
        let error = monotable_engine::OpenError::Io {
            path: "x".into(),
            source: io::Error::other("no"),
        };
        let failure = Failure::configuration("cannot open").caused_by(&error);
        assert_eq!(failure.causes, ["x: no", "no"]);
    }
}
