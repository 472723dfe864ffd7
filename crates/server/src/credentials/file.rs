//! Reading a file of access keys.

use super::{AccessKey, Secret};
use std::collections::HashMap;
use std::fmt;

/// Why a file of access keys cannot be used. Never shows a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CredentialsError {
    line: usize,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
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
                "unknown setting {name}: a section has {ID}, {SECRET} and possibly {TOKEN}"
            ),
            Problem::EmptySetting(setting) => write!(f, "{setting} is empty"),
            Problem::Missing { section, setting } => {
                write!(f, "section [{section}] has no {setting}")
            }
            Problem::KeyTwice { section, first } => {
                write!(f, "[{section}] has the same {ID} as [{first}]")
            }
        }
    }
}

impl std::error::Error for CredentialsError {}

const ID: &str = "aws_access_key_id";
const SECRET: &str = "aws_secret_access_key";
const TOKEN: &str = "aws_session_token";

/// Settings of the same file that say nothing about who may sign.
const IGNORED: &[&str] = &["region", "output"];

/// A section as far as it has been read.
struct Section {
    name: String,
    line: usize,
    id: Option<String>,
    secret: Option<String>,
    token: Option<String>,
}

enum Line<'a> {
    Blank,
    Section(&'a str),
    Setting(&'a str, &'a str),
}

pub(super) fn parse(text: &str) -> Result<HashMap<String, AccessKey>, CredentialsError> {
    let sections = sections(text)?;
    let mut keys = HashMap::new();
    let mut owners: HashMap<String, String> = HashMap::new();
    for section in sections {
        let (name, line) = (section.name.clone(), section.line);
        let (id, key) = section.finish()?;
        if let Some(first) = owners.insert(id.clone(), name.clone()) {
            let section = name;
            return Err(at(line, Problem::KeyTwice { section, first }));
        }
        keys.insert(id, key);
    }
    if keys.is_empty() {
        return Err(at(1, Problem::NoKeys));
    }
    Ok(keys)
}

fn sections(text: &str) -> Result<Vec<Section>, CredentialsError> {
    let mut sections: Vec<Section> = Vec::new();
    for (index, raw) in text.lines().enumerate() {
        let line = index + 1;
        let failed = |problem| at(line, problem);
        match classify(raw).map_err(failed)? {
            Line::Blank => {}
            Line::Section(name) if sections.iter().any(|known| known.name == name) => {
                return Err(failed(Problem::SectionTwice(name.to_owned())));
            }
            Line::Section(name) => sections.push(Section::new(name, line)),
            Line::Setting(name, value) => {
                let section = sections.last_mut();
                let section = section.ok_or_else(|| failed(Problem::OutsideSection))?;
                section.set(name, value).map_err(failed)?;
            }
        }
    }
    Ok(sections)
}

fn classify(raw: &str) -> Result<Line<'_>, Problem> {
    let line = raw.trim();
    if line.is_empty() || line.starts_with(['#', ';']) {
        return Ok(Line::Blank);
    }
    if let Some(rest) = line.strip_prefix('[') {
        let name = rest.strip_suffix(']').ok_or(Problem::UnclosedSection)?;
        return Ok(Line::Section(name.trim()));
    }
    let (name, value) = line
        .split_once('=')
        .ok_or(Problem::NeitherSectionNorSetting)?;
    Ok(Line::Setting(name.trim(), without_comment(value).trim()))
}

/// A comment behind a value is set off by a space; keys and tokens have none.
fn without_comment(value: &str) -> &str {
    let comment = value.find(" #").or_else(|| value.find(" ;"));
    comment.and_then(|at| value.get(..at)).unwrap_or(value)
}

impl Section {
    fn new(name: &str, line: usize) -> Self {
        Self {
            name: name.to_owned(),
            line,
            id: None,
            secret: None,
            token: None,
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Problem> {
        let (setting, slot) = match name.to_ascii_lowercase().as_str() {
            ID => (ID, &mut self.id),
            SECRET => (SECRET, &mut self.secret),
            TOKEN => (TOKEN, &mut self.token),
            ignored if IGNORED.contains(&ignored) => return Ok(()),
            _ => return Err(Problem::UnknownSetting(name.to_owned())),
        };
        if value.is_empty() {
            return Err(Problem::EmptySetting(setting));
        }
        match slot.replace(value.to_owned()) {
            Some(_) => Err(Problem::SettingTwice(setting)),
            None => Ok(()),
        }
    }

    fn finish(self) -> Result<(String, AccessKey), CredentialsError> {
        let Self {
            name, line, token, ..
        } = self;
        let missing = |setting| {
            let section = name.clone();
            at(line, Problem::Missing { section, setting })
        };
        let id = self.id.ok_or_else(|| missing(ID))?;
        let secret = self.secret.ok_or_else(|| missing(SECRET))?;
        let key = AccessKey {
            secret: Secret(secret),
            session_token: token.map(Secret),
        };
        Ok((id, key))
    }
}

const fn at(line: usize, problem: Problem) -> CredentialsError {
    CredentialsError { line, problem }
}
