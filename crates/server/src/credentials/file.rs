//! Reading a file of access keys.

use super::AccessKey;
use super::error::{CredentialsError, Problem, at};
use super::section::Section;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

/// Reads the file of a policy, by the name that stands in the file of access keys.
pub(super) type ReadPolicy<'r> = &'r dyn Fn(&str) -> io::Result<String>;

enum Line<'a> {
    Blank,
    Section(&'a str),
    Setting(&'a str, &'a str),
}

pub(super) fn parse(
    text: &str,
    read: ReadPolicy<'_>,
) -> Result<HashMap<String, Arc<AccessKey>>, CredentialsError> {
    let sections = sections(text)?;
    let mut keys = HashMap::new();
    let mut owners: HashMap<String, String> = HashMap::new();
    for section in sections {
        let (name, line) = (section.name.clone(), section.line);
        let (id, key) = section.finish(read)?;
        if let Some(first) = owners.insert(id.clone(), name.clone()) {
            let section = name;
            return Err(at(line, Problem::KeyTwice { section, first }));
        }
        keys.insert(id, Arc::new(key));
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
                section.set(name, value, line).map_err(failed)?;
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
    Ok(Line::Setting(
        name.trim(),
        without_comment(value.trim()).trim(),
    ))
}

/// A comment behind a value is set off by a space; keys and tokens have none. A policy may have anything in its texts.
fn without_comment(value: &str) -> &str {
    if value.starts_with('{') {
        return value;
    }
    let comment = value.find(" #").or_else(|| value.find(" ;"));
    comment.and_then(|at| value.get(..at)).unwrap_or(value)
}
