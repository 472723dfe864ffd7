//! The sources of one crate as tokens. Comments are gone, and texts are literals, so neither is taken for code.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::problem::Problem;

/// The files below one folder of sources.
#[derive(Default)]
pub(crate) struct Sources {
    /// The folder, as messages name it.
    pub(crate) folder: String,
    pub(crate) files: Vec<Source>,
}

/// One file.
pub(crate) struct Source {
    /// Its path below the folder, with `/`.
    pub(crate) path: String,
    /// The module that it is: `["write", "claims"]` for `write/claims.rs`, nothing for the root.
    pub(crate) module: Vec<String>,
    /// What the compiler sees when it builds no tests.
    pub(crate) tokens: Vec<TokenTree>,
}

impl Sources {
    /// Reads every file of Rust below `folder`, which is given relative to `root`.
    pub(crate) fn read(root: &Path, folder: &str) -> Result<Self, Problem> {
        let mut paths = Vec::new();
        let top = root.join(folder);
        collect(&top, &mut paths).map_err(|error| unreadable(folder, &error))?;
        paths.sort();
        let mut sources = Self {
            folder: folder.to_owned(),
            files: Vec::new(),
        };
        for path in paths {
            let text = fs::read_to_string(&path).map_err(|error| unreadable(folder, &error))?;
            let below = path.strip_prefix(&top).unwrap_or(&path);
            let name = below.to_string_lossy().replace('\\', "/");
            sources.files.push(Source::parse(&name, &text)?);
        }
        Ok(sources)
    }

    /// The names of the top-level modules, sorted.
    pub(crate) fn modules(&self) -> Vec<&str> {
        let first = self.files.iter().filter_map(|file| file.module.first());
        let mut names: Vec<_> = first.map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Source {
    pub(crate) fn parse(path: &str, text: &str) -> Result<Self, Problem> {
        let tokens: TokenStream = text.parse().map_err(|error| {
            Problem::new(format!(
                "{path} cannot be split into tokens ({error}), so the rules about modules cannot be checked"
            ))
        })?;
        Ok(Self {
            path: path.to_owned(),
            module: module_of_file(path),
            tokens: without_tests(tokens),
        })
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}

fn unreadable(folder: &str, error: &io::Error) -> Problem {
    Problem::new(format!(
        "{folder} cannot be read ({error}), so the rules about modules cannot be checked"
    ))
}

fn module_of_file(path: &str) -> Vec<String> {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    match stem {
        "lib" | "main" => Vec::new(),
        stem => stem.split('/').map(str::to_owned).collect(),
    }
}

/// Leaves out what stands below `#[cfg(test)]`: a test may use everything, as it may of other crates.
fn without_tests(stream: TokenStream) -> Vec<TokenTree> {
    let mut kept = Vec::new();
    let mut tokens = stream.into_iter();
    while let Some(token) = tokens.next() {
        kept.push(token);
        if ends_with_cfg_test(&kept) {
            kept.truncate(kept.len().saturating_sub(2));
            tokens.by_ref().find(is_end_of_item);
        }
    }
    kept
}

fn ends_with_cfg_test(tokens: &[TokenTree]) -> bool {
    match tokens {
        [.., TokenTree::Punct(hash), TokenTree::Group(attribute)] => {
            hash.as_char() == '#' && attribute.stream().to_string().replace(' ', "") == "cfg(test)"
        }
        _ => false,
    }
}

fn is_end_of_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    }
}
