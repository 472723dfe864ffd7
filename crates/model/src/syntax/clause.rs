//! What follows the type of an attribute: `word`, `word = value`, or a condition.

use super::message::parse_quoted_message;
use super::predicate::Predicate;
use super::template::{Template, TemplateKind};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::document::Text;
use crate::span::{Name, Span, Spanned};
use crate::suggest::did_you_mean;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) kind: ClauseKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ClauseKind {
    Generated(Option<Generator>),
    Created,
    /// What it is at the create, whatever a caller gives.
    CreatedAs(Template),
    Updated,
    Deleting,
    Default(Default),
    Immutable,
    Movable,
    Matches(Name),
    Without(String),
    /// Text of white space alone is text too.
    Blank,
    RequiredIf(Predicate),
    OnlyIf(Predicate),
    ExactlyIf(Predicate),
    Where(Predicate),
    Secret(Option<(usize, usize)>),
    Hashed(u32),
    Stored(Name),
    Alias(Name),
    KeyOnly,
    Internal,
    Distinct,
    Version(u64),
    Numbered {
        reference: Name,
        counter: Name,
    },
    Position(Name),
    Top(Name),
    Same(Name),
    Counted(Name),
    MissingWarns,
    OnDelete(OnDelete),
    Via(Name),
    /// What a caller is told whose value is refused.
    Message(String),
    /// What a caller is told who may not delete the row that it leads to.
    MessageOnDelete(String),
}

/// How an id is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Generator {
    /// A random UUID (version 4).
    Uuid,
    /// A UUID that sorts by time.
    UuidV7,
    /// A ULID.
    Ulid,
    /// So many random letters and digits.
    Token(usize),
}

/// What an attribute has if the caller gives nothing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Default {
    /// A number.
    Number(String),
    /// True or false.
    Flag(bool),
    /// Text.
    Text(String),
    /// A word of the enum.
    Word(Name),
    /// What a template shows.
    Template(Template),
    /// The time of the request, and so many seconds.
    Now {
        /// Seconds after the request.
        plus: u64,
    },
    /// An empty list.
    EmptyList,
}

/// What becomes of a row when the row it refers to is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, std::default::Default, Serialize, Deserialize)]
pub enum OnDelete {
    /// The delete is refused while there are such rows.
    #[default]
    Restrict,
    /// The row is deleted too.
    Cascade,
    /// The attribute is removed.
    Clear,
    /// Nothing: the reference dangles.
    Keep,
}

/// What a clause begins with.
pub(crate) const WORDS: &[&str] = &[
    "generated",
    "created",
    "updated",
    "deleting",
    "default",
    "immutable",
    "movable",
    "matches",
    "without",
    "blank",
    "required if",
    "only if",
    "exactly if",
    "where",
    "secret",
    "hashed",
    "stored",
    "alias",
    "key_only",
    "internal",
    "distinct",
    "version",
    "numbered",
    "position",
    "top",
    "same",
    "counted",
    "missing",
    "on_delete",
    "via",
    "message",
    "message_on_delete",
];

impl Clause {
    pub(crate) fn parse(text: &Text, findings: &mut Findings) -> Option<Self> {
        let text = text.trimmed();
        let kind = condition(&text, findings).unwrap_or_else(|| plain(&text, findings))?;
        Some(Self {
            kind,
            span: text.inner(),
        })
    }
}

/// A clause that is a condition; None if it is none.
fn condition(text: &Text, findings: &mut Findings) -> Option<Option<ClauseKind>> {
    type Make = fn(Predicate) -> ClauseKind;
    let words: [(&str, Make); 4] = [
        ("required if ", ClauseKind::RequiredIf),
        ("only if ", ClauseKind::OnlyIf),
        ("exactly if ", ClauseKind::ExactlyIf),
        ("where ", ClauseKind::Where),
    ];
    let (word, make) = words
        .into_iter()
        .find(|(word, _)| text.as_str().starts_with(word))?;
    let predicate = text.part(word.len(), text.value.len()).trimmed();
    Some(Predicate::parse(&predicate, findings).map(make))
}

fn plain(text: &Text, findings: &mut Findings) -> Option<ClauseKind> {
    let (word, value) = match text.as_str().split_once('=') {
        Some((word, _)) => {
            let value = text.part(word.len() + 1, text.value.len()).trimmed();
            (word.trim(), Some(value))
        }
        None => (text.as_str(), None),
    };
    match (word, value) {
        ("generated", None) => Some(ClauseKind::Generated(None)),
        ("created", None) => Some(ClauseKind::Created),
        ("updated", None) => Some(ClauseKind::Updated),
        ("deleting", None) => Some(ClauseKind::Deleting),
        ("immutable", None) => Some(ClauseKind::Immutable),
        ("movable", None) => Some(ClauseKind::Movable),
        ("secret", None) => Some(ClauseKind::Secret(None)),
        ("key_only", None) => Some(ClauseKind::KeyOnly),
        ("internal", None) => Some(ClauseKind::Internal),
        ("blank", None) => Some(ClauseKind::Blank),
        ("distinct", None) => Some(ClauseKind::Distinct),
        (word, Some(value)) => valued(word, &value, text, findings),
        (word, None) => unknown(word, text, findings),
    }
}

fn valued(word: &str, value: &Text, text: &Text, findings: &mut Findings) -> Option<ClauseKind> {
    let name = || Some(value.name());
    match word {
        "generated" => wanted(
            generator(value.as_str()).map(|made| ClauseKind::Generated(Some(made))),
            value,
            "`uuid`, `uuidv7`, `ulid` or `token(51)`",
            findings,
        ),
        "created" => {
            if value.as_str().contains('{') {
                let template = Template::parse(value, TemplateKind::Value, findings);
                template.map(ClauseKind::CreatedAs)
            } else {
                let what = "a `{template}`, as in `created = {principal.userId}`";
                wanted(None, value, what, findings)
            }
        }
        "default" => default(value, findings).map(ClauseKind::Default),
        "matches" => wanted(
            value
                .as_str()
                .strip_prefix('/')
                .and_then(|rest| rest.strip_suffix('/'))
                .map(|regex| {
                    let inner = value.part(1, 1 + regex.len());
                    ClauseKind::Matches(Spanned::new(regex.replace("\\/", "/"), inner.inner()))
                }),
            value,
            "a pattern between slashes, as in `/[a-z]+/`",
            findings,
        ),
        "without" => wanted(
            (!value.value.is_empty()).then(|| ClauseKind::Without(value.value.clone())),
            value,
            "the characters that it never has",
            findings,
        ),
        "secret" => wanted(
            mask(value.as_str()).map(|mask| ClauseKind::Secret(Some(mask))),
            value,
            "`mask(8,4)`",
            findings,
        ),
        "hashed" => wanted(
            argument(value.as_str(), "bcrypt")
                .and_then(|cost| cost.parse().ok())
                .filter(|cost| (4..=31).contains(cost))
                .map(ClauseKind::Hashed),
            value,
            "`bcrypt(10)`, with a cost from 4 to 31",
            findings,
        ),
        "stored" => name().map(ClauseKind::Stored),
        "alias" => name().map(ClauseKind::Alias),
        "version" => wanted(
            value
                .as_str()
                .parse()
                .ok()
                .filter(|version| *version > 0)
                .map(ClauseKind::Version),
            value,
            "a number from 1",
            findings,
        ),
        "numbered" => wanted(numbered(value), value, "`reference.counter`", findings),
        "position" => name().map(ClauseKind::Position),
        "top" => name().map(ClauseKind::Top),
        "same" => name().map(ClauseKind::Same),
        "counted" => name().map(ClauseKind::Counted),
        "missing" => wanted(
            (value.as_str() == "warn").then_some(ClauseKind::MissingWarns),
            value,
            "`warn`",
            findings,
        ),
        "on_delete" => wanted(
            on_delete(value.as_str()).map(ClauseKind::OnDelete),
            value,
            "`restrict`, `cascade`, `clear` or `keep`",
            findings,
        ),
        "via" => name().map(ClauseKind::Via),
        "message" => parse_quoted_message(value, findings).map(ClauseKind::Message),
        "message_on_delete" => {
            parse_quoted_message(value, findings).map(ClauseKind::MessageOnDelete)
        }
        word => unknown(word, text, findings),
    }
}

fn wanted<T>(found: Option<T>, value: &Text, what: &str, findings: &mut Findings) -> Option<T> {
    if found.is_none() {
        let message = format!("`{}` is not {what}", value.as_str());
        findings.push(Diagnostic::new(Code::BadAttribute, value.inner(), message));
    }
    found
}

fn unknown(word: &str, text: &Text, findings: &mut Findings) -> Option<ClauseKind> {
    let message = format!("`{word}` is no clause of an attribute");
    let help = did_you_mean(word, WORDS.iter().copied())
        .unwrap_or_else(|| format!("clauses: {}", WORDS.join(", ")));
    let span = text.span_at(0, word.len().max(1));
    findings.push(Diagnostic::new(Code::BadAttribute, span, message).help(help));
    None
}

fn generator(text: &str) -> Option<Generator> {
    match text {
        "uuid" => Some(Generator::Uuid),
        "uuidv7" => Some(Generator::UuidV7),
        "ulid" => Some(Generator::Ulid),
        token => {
            let length = argument(token, "token")?.parse().ok();
            length
                .filter(|length| (8..=256).contains(length))
                .map(Generator::Token)
        }
    }
}

fn argument<'t>(text: &'t str, function: &str) -> Option<&'t str> {
    text.strip_prefix(function)?
        .strip_prefix('(')?
        .strip_suffix(')')
}

fn mask(text: &str) -> Option<(usize, usize)> {
    let (first, last) = argument(text, "mask")?.split_once(',')?;
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
}

fn numbered(value: &Text) -> Option<ClauseKind> {
    let dot = value.as_str().find('.')?;
    Some(ClauseKind::Numbered {
        reference: value.part(0, dot).name(),
        counter: value.part(dot + 1, value.value.len()).name(),
    })
}

fn on_delete(text: &str) -> Option<OnDelete> {
    match text {
        "restrict" => Some(OnDelete::Restrict),
        "cascade" => Some(OnDelete::Cascade),
        "clear" => Some(OnDelete::Clear),
        "keep" => Some(OnDelete::Keep),
        _ => None,
    }
}

fn default(value: &Text, findings: &mut Findings) -> Option<Default> {
    let text = value.as_str();
    if text.contains('{') {
        return Template::parse(value, TemplateKind::Value, findings).map(Default::Template);
    }
    if let Some(quoted) = text
        .strip_prefix('\'')
        .and_then(|text| text.strip_suffix('\''))
    {
        return Some(Default::Text(quoted.replace("''", "'")));
    }
    if let Some(rest) = text.strip_prefix("now") {
        let plus = duration(rest.trim());
        return wanted(plus, value, "`now`, or `now + 1 day`", findings)
            .map(|plus| Default::Now { plus });
    }
    match text {
        "true" => Some(Default::Flag(true)),
        "false" => Some(Default::Flag(false)),
        "[]" => Some(Default::EmptyList),
        number if number.parse::<monotable_item::Number>().is_ok() => {
            Some(Default::Number(number.to_owned()))
        }
        word if !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || "_-.:+".contains(c)) =>
        {
            Some(Default::Word(value.name()))
        }
        _ => wanted(
            None,
            value,
            "a default: a number, `true`, `'text'`, a word, a `{template}`, `now` or `[]`",
            findings,
        ),
    }
}

/// Seconds of `+ 1 day`; nothing is no time.
fn duration(text: &str) -> Option<u64> {
    if text.is_empty() {
        return Some(0);
    }
    let (count, unit) = text.strip_prefix('+')?.trim().split_once(' ')?;
    let seconds = match unit.trim().trim_end_matches('s') {
        "second" => 1,
        "minute" => 60,
        "hour" => 3_600,
        "day" => 86_400,
        _ => return None,
    };
    count.parse::<u64>().ok()?.checked_mul(seconds)
}
