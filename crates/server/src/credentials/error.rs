//! Why a file of access keys cannot be used.

use super::section::{ARN, CONTEXT, ID, POLICY, SECRET, TOKEN, USERNAME};
use std::fmt;

/// Why a file of access keys cannot be used. Never shows a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CredentialsError {
    line: usize,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    NoKeys,
    NeitherSectionNorSetting,
    UnclosedSection,
    OutsideSection,
    SectionTwice(String),
    SettingTwice(&'static str),
    UnknownSetting(String),
    EmptySetting(&'static str),
    Missing {
        section: String,
        setting: &'static str,
    },
    KeyTwice {
        section: String,
        first: String,
    },
    /// The policy is not understood, or the caller of it is not.
    Policy(String),
}

impl CredentialsError {
    /// The line that is wrong, from 1.
    pub const fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for CredentialsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            Problem::NoKeys => write!(
                f,
                "there is no access key: add a section `[name]` with {ID} and {SECRET}"
            ),
            // The line itself may be a secret that lost its name.
            Problem::NeitherSectionNorSetting => {
                f.write_str("neither `[name]` nor `setting = value`")
            }
            Problem::UnclosedSection => f.write_str("a section's name ends with `]`"),
            Problem::OutsideSection => {
                f.write_str("a setting before the first section: put `[name]` above it")
            }
            Problem::SectionTwice(name) => write!(f, "a second section [{name}]"),
            Problem::SettingTwice(setting) => write!(f, "a second {setting} in this section"),
            Problem::UnknownSetting(name) => write!(
                f,
                "unknown setting {name}: a section has {ID}, {SECRET}, and possibly {TOKEN}, {POLICY}, {USERNAME}, {ARN} \
                 and {CONTEXT}KEY"
            ),
            Problem::EmptySetting(setting) => write!(f, "{setting} is empty"),
            Problem::Missing { section, setting } => {
                write!(f, "section [{section}] has no {setting}")
            }
            Problem::KeyTwice { section, first } => {
                write!(f, "[{section}] has the same {ID} as [{first}]")
            }
            Problem::Policy(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for CredentialsError {}

pub(super) const fn at(line: usize, problem: Problem) -> CredentialsError {
    CredentialsError { line, problem }
}
