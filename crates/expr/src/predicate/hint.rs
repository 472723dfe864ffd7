//! What somebody may have meant who writes another language.

use super::literal::unquoted;
use super::{PredicateError, PredicateProblem, Span};
use crate::Problem;
use crate::check::Function;
use crate::parser::{Expected, Stuck};
use crate::token::TokenKind;

/// Longest piece of a text that an error shows.
const LONGEST_FOUND: usize = 40;

/// The error of a text that the parser got stuck in.
pub(super) fn explain(stuck: Stuck, text: &str) -> PredicateError {
    let token = stuck.token;
    let found = text.get(token.start..token.end).unwrap_or_default();
    let span = Span {
        start: token.start,
        end: token.end,
    };
    if token.kind == TokenKind::Unknown
        && let Some(quote) = unclosed(found)
    {
        return PredicateProblem::Unclosed { quote }.at(span);
    }
    PredicateError {
        span,
        problem: PredicateProblem::Unexpected {
            expected: describe(stuck.expected),
            found: shown(token.kind, found),
        },
        hint: of_token(stuck, found),
    }
}

const fn describe(expected: Expected) -> &'static str {
    match expected {
        Expected::Condition => "a condition",
        Expected::Operand => "a path or a value",
        Expected::Name => "a name after the dot",
        Expected::Index => "a list index",
        Expected::CloseBracket => "`]`",
        Expected::List => "`(` after IN",
        Expected::Comparison => "=, <>, <, <=, >, >=, BETWEEN or IN",
        Expected::UpperBound => "AND and the upper bound of BETWEEN",
        Expected::NextOperand => "`,` or `)`",
        Expected::CloseParen => "`)`",
        Expected::JunctionOrClose => "AND, OR or `)`",
        Expected::JunctionOrEnd => "AND, OR or the end",
    }
}

/// The quote that `found`, which is no token, starts with and does not end with.
fn unclosed(found: &str) -> Option<char> {
    let quote = found
        .chars()
        .next()
        .filter(|first| "'`\"".contains(*first))?;
    // The lexer reads texts in double quotes to their end, too, although nothing takes them.
    let closed = found.matches(quote).count().is_multiple_of(2);
    (quote != '"' || !closed).then_some(quote)
}

fn shown(kind: TokenKind, found: &str) -> String {
    if kind == TokenKind::End {
        return "the end".into();
    }
    if found.chars().count() <= LONGEST_FOUND {
        return format!("`{found}`");
    }
    let start: String = found.chars().take(LONGEST_FOUND).collect();
    format!("`{start}…`")
}

fn of_token(stuck: Stuck, found: &str) -> Option<String> {
    let hint = match found {
        "!=" => "write <> for not equal".into(),
        "==" => "write = for equal".into(),
        "=>" => "write >=".into(),
        "=<" => "write <=".into(),
        "&&" => "write AND".into(),
        "||" => "write OR".into(),
        "!" => "write NOT before the condition, <> between operands".into(),
        _ if found.starts_with('"') => {
            let inner = unquoted(found, '"')?.replace('\'', "''");
            format!("text stands in single quotes: '{inner}'")
        }
        _ if found.starts_with([':', '#']) => {
            "predicates have no placeholders: write the value or the name itself".into()
        }
        _ => return of_place(stuck, found),
    };
    Some(hint)
}

/// Hints for words that are right elsewhere.
fn of_place(stuck: Stuck, found: &str) -> Option<String> {
    if stuck.expected != Expected::Comparison {
        return None;
    }
    let is = |word: &str| found.eq_ignore_ascii_case(word);
    let hint = match stuck.token.kind {
        TokenKind::Word if is("not") => "NOT stands before the condition: NOT a IN (..)",
        TokenKind::Word if is("is") => {
            "write attribute_exists(..) or attribute_not_exists(..) to ask for presence"
        }
        TokenKind::Word if is("like") => "write begins_with(.., ..) or contains(.., ..)",
        TokenKind::End | TokenKind::CloseParen => {
            "an attribute alone is no condition: write = true"
        }
        TokenKind::Word if is("and") || is("or") => {
            "an attribute alone is no condition: write = true"
        }
        _ => return None,
    };
    Some(hint.into())
}

/// The function that somebody may mean by `name`.
pub(super) fn function(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let meant = match lower.as_str() {
        "exists" | "attributeexists" | "has" | "defined" | "present" => "attribute_exists",
        "not_exists" | "notexists" | "attributenotexists" | "missing" | "absent" => {
            "attribute_not_exists"
        }
        "type" | "typeof" | "attributetype" => "attribute_type",
        "starts_with" | "startswith" | "beginswith" | "prefix" => "begins_with",
        "includes" | "contain" => "contains",
        "length" | "len" | "count" => "size",
        known => Function::named(known).ok()?.name(),
    };
    Some(format!("write {meant}(..)"))
}

/// What to do about a broken rule.
pub(super) fn rule(problem: &Problem) -> Option<String> {
    match problem {
        Problem::TypeName { .. } => {
            Some("types are S, N, B, BOOL, NULL, M, L, SS, NS and BS".into())
        }
        _ => None,
    }
}
