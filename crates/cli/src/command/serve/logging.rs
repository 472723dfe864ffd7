//! Logs, on stderr.

use anstream::AutoStream;
use clap::{Args, ValueEnum};
use std::io;
use tracing_subscriber::filter::{LevelFilter, ParseError, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

/// What is logged, and how.
#[derive(Args, Clone, Debug)]
pub(super) struct LogArguments {
    /// What to log on stderr: off, error, warn, info, debug or trace, or a list such as info,monotable_server=debug
    #[arg(long, value_name = "LEVEL", default_value = "info", value_parser = filter)]
    log: Targets,

    /// The form of the log
    #[arg(long, value_name = "FORM", value_enum, default_value_t = LogForm::Text)]
    log_format: LogForm,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum LogForm {
    /// Lines for people
    Text,
    /// An object per line
    Json,
}

/// Reads LEVEL and PART=LEVEL, separated by commas. A mistyped level would otherwise be taken for the
/// name of a part, and silence the rest.
fn filter(text: &str) -> Result<Targets, String> {
    for directive in text.split(',') {
        let level = directive.rsplit('=').next().unwrap_or_default();
        level.parse::<LevelFilter>().map_err(|_| {
            format!("'{level}' is no level: use off, error, warn, info, debug or trace")
        })?;
    }
    text.parse().map_err(|error: ParseError| error.to_string())
}

impl LogArguments {
    /// From now on events are logged.
    pub(super) fn install(&self) {
        let has_colour = AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
        let layer = match self.log_format {
            LogForm::Text => fmt::layer()
                .with_ansi(has_colour)
                .with_writer(io::stderr)
                .boxed(),
            LogForm::Json => fmt::layer().json().with_writer(io::stderr).boxed(),
        };
        let logged = layer.with_filter(self.log.clone());
        tracing_subscriber::registry().with(logged).init();
    }
}
