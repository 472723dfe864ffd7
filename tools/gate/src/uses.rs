//! Which top-level module of a crate uses which: every path that begins with `crate`, `super` or `self`.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, TokenTree};

use crate::sources::{Source, Sources};

/// A path of one file, from the root of the crate.
pub(crate) struct Use {
    /// The module of the file, at the top level.
    pub(crate) from: String,
    /// `["session", "Session"]`, and nothing for a glob of the root.
    pub(crate) path: Vec<String>,
    pub(crate) file: String,
    pub(crate) line: usize,
}

/// Every such path below the root; the root itself may name all modules.
pub(crate) fn list_uses(sources: &Sources) -> Vec<Use> {
    let mut uses = Vec::new();
    for source in &sources.files {
        let Some(from) = source.module.first() else {
            continue;
        };
        for path in list_paths(&source.tokens, &source.module) {
            uses.push(Use {
                from: from.clone(),
                path: path.segments,
                file: source.path.clone(),
                line: path.line,
            });
        }
    }
    uses
}

/// What the root says again under a name of its own: the name, and the module that it is from.
pub(crate) fn list_reexports(root: &Source) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (at, token) in root.tokens.iter().enumerate() {
        if is_word(Some(token), "use") {
            let mut walk = Walk::default();
            walk.tree(root.tokens.get(at + 1..).unwrap_or_default(), &[]);
            for path in walk.paths {
                if let (Some(module), Some(name)) = (path.segments.first(), path.name) {
                    names.insert(name, module.clone());
                }
            }
        }
    }
    names
}

struct Path {
    segments: Vec<String>,
    /// What it is called where it is used: its last segment, or what follows `as`.
    name: Option<String>,
    line: usize,
}

fn list_paths(tokens: &[TokenTree], module: &[String]) -> Vec<Path> {
    let mut walk = Walk::default();
    walk.code(tokens, module);
    walk.paths
}

#[derive(Default)]
struct Walk {
    paths: Vec<Path>,
}

impl Walk {
    fn code(&mut self, tokens: &[TokenTree], module: &[String]) {
        let mut rest = tokens;
        while let Some((token, after)) = rest.split_first() {
            rest = after;
            match token {
                TokenTree::Ident(word) if is_path(after) => match word.to_string().as_str() {
                    "crate" => self.tree(after.get(2..).unwrap_or_default(), &[]),
                    "self" => self.tree(after.get(2..).unwrap_or_default(), module),
                    "super" => rest = self.above(after, parent(module)),
                    _ => {}
                },
                TokenTree::Ident(word) if word == "mod" => {
                    if let [TokenTree::Ident(name), TokenTree::Group(body), after @ ..] = after {
                        let inner = [module, &[name.to_string()]].concat();
                        self.group(body, &inner);
                        rest = after;
                    }
                }
                TokenTree::Group(group) => self.group(group, module),
                _ => {}
            }
        }
    }

    fn group(&mut self, group: &Group, module: &[String]) {
        let tokens: Vec<_> = group.stream().into_iter().collect();
        self.code(&tokens, module);
    }

    /// The rest of a path behind `super`, which may go up again.
    fn above<'t>(&mut self, after: &'t [TokenTree], module: &[String]) -> &'t [TokenTree] {
        let rest = after.get(2..).unwrap_or_default();
        match rest {
            [TokenTree::Ident(word), again @ ..] if word == "super" && is_path(again) => {
                self.above(again, parent(module))
            }
            _ => {
                self.tree(rest, module);
                rest
            }
        }
    }

    /// What follows `::`, as in a use declaration: a name, a group of names, or a star.
    fn tree(&mut self, tokens: &[TokenTree], base: &[String]) {
        match tokens {
            [TokenTree::Ident(word), after @ ..] => {
                let mut path = base.to_vec();
                if word != "self" {
                    path.push(word.to_string());
                }
                if is_path(after) && is_tree(after.get(2)) {
                    self.tree(after.get(2..).unwrap_or_default(), &path);
                } else {
                    let name = renamed(after).or_else(|| path.last().cloned());
                    let line = word.span().start().line;
                    self.paths.push(Path {
                        segments: path,
                        name,
                        line,
                    });
                }
            }
            [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Brace => {
                let tokens: Vec<_> = group.stream().into_iter().collect();
                for entry in tokens.split(|token| is_punct(Some(token), ',')) {
                    self.tree(entry, base);
                }
            }
            [TokenTree::Punct(star), ..] => self.paths.push(Path {
                segments: base.to_vec(),
                name: None,
                line: star.span().start().line,
            }),
            _ => {}
        }
    }
}

fn parent(module: &[String]) -> &[String] {
    module.split_last().map_or(&[], |(_, above)| above)
}

fn renamed(after: &[TokenTree]) -> Option<String> {
    match after {
        [TokenTree::Ident(word), TokenTree::Ident(name), ..] if word == "as" => {
            Some(name.to_string())
        }
        _ => None,
    }
}

/// Whether a path goes on: `::`.
fn is_path(after: &[TokenTree]) -> bool {
    is_punct(after.first(), ':') && is_punct(after.get(1), ':')
}

/// Whether `token` goes on with a path; `::<` gives a type instead.
fn is_tree(token: Option<&TokenTree>) -> bool {
    match token {
        Some(TokenTree::Ident(_)) => true,
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
        token => is_punct(token, '*'),
    }
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

fn is_word(token: Option<&TokenTree>, wanted: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(word)) if word == wanted)
}
