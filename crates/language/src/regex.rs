//! Languages from regular expressions.

use super::builder::Builder;
use super::regular::Language;
use regex_syntax::ast::{self, AssertionKind, Ast};
use regex_syntax::hir::{Class, Hir, HirKind, translate::TranslatorBuilder};
use std::fmt;

/// Nesting allowed in an expression. It bounds the recursion of everything in this file.
const NESTING: u32 = 50;

/// Longer expressions are refused, in bytes.
const LONGEST: usize = 2_000;

/// Why a regular expression is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexProblem {
    /// Byte offset into the expression where the problem starts.
    pub start: usize,
    /// Byte offset where it ends.
    pub end: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for RegexProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} at {}..{}", self.message, self.start, self.end)
    }
}

impl std::error::Error for RegexProblem {}

impl Language {
    /// The words that `regex` matches as a whole, in the syntax of the `regex` crate.
    ///
    /// `^` and `$` are allowed at the ends, where they change nothing. Other anchors and `\b` are refused.
    ///
    /// # Errors
    /// The expression is not valid, too long, or looks around.
    pub fn from_regex(regex: &str) -> Result<Language, RegexProblem> {
        if regex.len() > LONGEST {
            return Err(RegexProblem {
                start: LONGEST,
                end: regex.len(),
                message: format!("the expression is longer than {LONGEST} bytes"),
            });
        }
        let tree = without_outer_anchors(parse(regex)?);
        refuse_assertions(&tree)?;
        let hir = TranslatorBuilder::new()
            .build()
            .translate(regex, &tree)
            .map_err(|error| problem(error.span(), error.kind()))?;
        language_of(&hir).ok_or_else(|| RegexProblem {
            start: 0,
            end: regex.len(),
            message: "the expression looks around, which a key cannot".to_owned(),
        })
    }
}

fn parse(regex: &str) -> Result<Ast, RegexProblem> {
    let mut parser = ast::parse::ParserBuilder::new().nest_limit(NESTING).build();
    parser
        .parse(regex)
        .map_err(|error| problem(error.span(), error.kind()))
}

fn problem(span: &ast::Span, message: impl fmt::Display) -> RegexProblem {
    RegexProblem {
        start: span.start.offset,
        end: span.end.offset,
        message: message.to_string(),
    }
}

/// Drops `^` before and `$` after everything else.
fn without_outer_anchors(mut tree: Ast) -> Ast {
    match &mut tree {
        Ast::Concat(concat) => {
            if concat.asts.first().is_some_and(is_start) {
                concat.asts.remove(0);
            }
            if concat.asts.last().is_some_and(is_end) {
                concat.asts.pop();
            }
            tree
        }
        Ast::Assertion(assertion) if is_outer(&assertion.kind) => Ast::empty(assertion.span),
        _ => tree,
    }
}

fn is_outer(kind: &AssertionKind) -> bool {
    matches!(
        kind,
        AssertionKind::StartLine
            | AssertionKind::StartText
            | AssertionKind::EndLine
            | AssertionKind::EndText
    )
}

fn is_start(tree: &Ast) -> bool {
    matches!(tree, Ast::Assertion(a) if matches!(a.kind, AssertionKind::StartLine | AssertionKind::StartText))
}

fn is_end(tree: &Ast) -> bool {
    matches!(tree, Ast::Assertion(a) if matches!(a.kind, AssertionKind::EndLine | AssertionKind::EndText))
}

/// Finds the first assertion left in the tree.
struct NoAssertions;

impl ast::Visitor for NoAssertions {
    type Output = ();
    type Err = RegexProblem;

    fn finish(self) -> Result<(), RegexProblem> {
        Ok(())
    }

    fn visit_pre(&mut self, tree: &Ast) -> Result<(), RegexProblem> {
        match tree {
            Ast::Assertion(assertion) => Err(problem(
                &assertion.span,
                "anchors are only allowed at the two ends: the whole value is matched anyway",
            )),
            _ => Ok(()),
        }
    }
}

fn refuse_assertions(tree: &Ast) -> Result<(), RegexProblem> {
    ast::visit(tree, NoAssertions)
}

/// `None` if it looks around. Recursion is bounded by [`NESTING`].
fn language_of(hir: &Hir) -> Option<Language> {
    match hir.kind() {
        HirKind::Empty => Some(Language::empty_text()),
        HirKind::Literal(literal) => Some(Language::from_bytes(&literal.0)),
        HirKind::Class(Class::Unicode(class)) => Some(Language::class(class)),
        HirKind::Class(Class::Bytes(class)) => Some(bytes_of(class)),
        HirKind::Look(_) => None,
        HirKind::Repetition(repetition) => {
            let body = language_of(&repetition.sub)?;
            Some(body.repeat(
                repetition.min as usize,
                repetition.max.map(|max| max as usize),
            ))
        }
        HirKind::Capture(capture) => language_of(&capture.sub),
        HirKind::Concat(parts) => Some(Language::sequence(&all(parts)?.iter().collect::<Vec<_>>())),
        HirKind::Alternation(parts) => {
            Some(Language::any_of(&all(parts)?.iter().collect::<Vec<_>>()))
        }
    }
}

fn all(parts: &[Hir]) -> Option<Vec<Language>> {
    parts.iter().map(language_of).collect()
}

/// A class of bytes; the parser only makes these from ASCII.
fn bytes_of(class: &regex_syntax::hir::ClassBytes) -> Language {
    let mut builder = Builder::default();
    let fragments: Vec<_> = class
        .iter()
        .map(|range| builder.sequence([(range.start(), range.end())]))
        .collect();
    let fragment = builder.either(&fragments);
    Language::plain(builder.finish(fragment))
}
