//! Types: bases, named types, and what clauses add to text.

use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Bounds, Kind, TextRule, TimeFormat};
use crate::span::{Name, Span, Spanned};
use crate::suggest::did_you_mean;
use crate::syntax::attribute::Attribute;
use crate::syntax::clause::{Clause, ClauseKind};
use crate::syntax::file::File;
use crate::syntax::type_expression::{Parameter, TypeExpression, TypeKind};
use monotable_language::{Language, Length};
use std::collections::BTreeMap;

const BASES: &[&str] = &[
    "text",
    "integer",
    "number",
    "boolean",
    "date",
    "timestamp",
    "epoch",
    "url",
    "json",
    "map",
    "any",
    "binary",
    "never",
    "uuid",
    "uuidv7",
    "ulid",
    "token",
    "tenant",
];

/// The types of a model.
pub(super) struct Kinds {
    named: BTreeMap<String, Named>,
}

/// A type of the model: what it holds, and what else every attribute of it has.
struct Named {
    kind: Kind,
    clauses: Vec<Clause>,
}

impl Kinds {
    pub(super) fn of(file: &File, findings: &mut Findings) -> Self {
        let mut kinds = Self {
            named: BTreeMap::new(),
        };
        // The tenant's id is a type of its own; it cannot be the tenant.
        if let Some(tenant) = &file.tenant
            && let Some(kind) = kinds.kind(&tenant.attribute, findings)
        {
            let clauses = Vec::new();
            kinds
                .named
                .insert("tenant".to_owned(), Named { kind, clauses });
        }
        for attribute in in_order(&file.types, findings) {
            if attribute.type_expression.optional {
                let message = "whether it may be absent is said of the attribute, not of its type";
                findings.error(Code::BadAttribute, attribute.span, message);
            }
            if BASES.contains(&attribute.name.value.as_str()) {
                let message = format!(
                    "`{}` is a base; give the type another name",
                    attribute.name.value
                );
                findings.error(Code::Contradiction, attribute.name.span, message);
            } else if let Some(kind) = kinds.kind(attribute, findings) {
                let mut clauses = kinds.clauses(attribute).to_vec();
                clauses.extend(
                    attribute
                        .clauses
                        .iter()
                        .filter(|clause| !is_text_rule(clause))
                        .cloned(),
                );
                kinds
                    .named
                    .insert(attribute.name.value.clone(), Named { kind, clauses });
            }
        }
        kinds
    }

    /// What an attribute holds. None for references and computed ones, and for what cannot be read.
    pub(super) fn kind(&self, attribute: &Attribute, findings: &mut Findings) -> Option<Kind> {
        let kind = self.expression(&attribute.type_expression, findings)?;
        refine(kind, &attribute.clauses, findings)
    }

    /// What the type of an attribute adds to the attribute's own clauses.
    pub(super) fn clauses(&self, attribute: &Attribute) -> &[Clause] {
        let TypeKind::Base { name, .. } = &attribute.type_expression.kind else {
            return &[];
        };
        self.named
            .get(&name.value)
            .map_or(&[], |named| &named.clauses)
    }

    fn expression(&self, expression: &TypeExpression, findings: &mut Findings) -> Option<Kind> {
        match &expression.kind {
            TypeKind::Base { name, parameter } => self.base(name, parameter.as_ref(), findings),
            TypeKind::Enum(words) => {
                let mut seen = Vec::new();
                for word in words {
                    for spelling in std::iter::once(&word.word).chain(&word.aliases) {
                        if seen.contains(&spelling) {
                            let message = format!("`{spelling}` stands twice in this enum");
                            findings.error(Code::Contradiction, word.span, message);
                        }
                        seen.push(spelling);
                    }
                }
                Some(Kind::Enum(words.clone()))
            }
            TypeKind::List { of, length } => {
                let of = match &of.kind {
                    // The caller fills in what the target's id is.
                    TypeKind::Reference(_) => Kind::Any,
                    _ => self.expression(of, findings)?,
                };
                Some(Kind::List {
                    of: Box::new(of),
                    length: length
                        .as_ref()
                        .map(|length| length.value.clone())
                        .unwrap_or_default(),
                })
            }
            TypeKind::Reference(_) | TypeKind::Computed(_) => None,
        }
    }

    fn base(
        &self,
        name: &Name,
        parameter: Option<&Spanned<Parameter>>,
        findings: &mut Findings,
    ) -> Option<Kind> {
        let bounds = match parameter.map(|parameter| &parameter.value) {
            Some(Parameter::Bounds(bounds)) => Some(bounds.clone()),
            _ => None,
        };
        let kind = match (
            name.value.as_str(),
            parameter.map(|parameter| &parameter.value),
        ) {
            ("text", None | Some(Parameter::Bounds(_))) => text(bounds),
            ("integer", None | Some(Parameter::Bounds(_))) => {
                Kind::Integer(bounds.unwrap_or_default())
            }
            ("number", None | Some(Parameter::Bounds(_))) => {
                Kind::Number(bounds.unwrap_or_default())
            }
            ("timestamp", None) => Kind::Timestamp(TimeFormat::default()),
            ("timestamp", Some(Parameter::Word(word))) if TimeFormat::named(word).is_some() => {
                Kind::Timestamp(TimeFormat::named(word).unwrap_or_default())
            }
            ("token", Some(Parameter::Count(length @ 8..=256))) => Kind::Token(*length),
            ("boolean", None) => Kind::Boolean,
            ("date", None) => Kind::Date,
            ("epoch", None) => Kind::Epoch,
            ("url", None) => Kind::Url,
            ("json", None) => Kind::Json,
            ("map", None) => Kind::Map,
            ("any", None) => Kind::Any,
            ("binary", None) => Kind::Binary,
            ("never", None) => Kind::Never,
            ("uuid", None) => Kind::Uuid,
            ("uuidv7", None) => Kind::UuidV7,
            ("ulid", None) => Kind::Ulid,
            (other, None) if self.named.contains_key(other) => self.named.get(other)?.kind.clone(),
            (base, parameter) => {
                findings.push(self.unknown(name, base, parameter.is_some()));
                return None;
            }
        };
        Some(kind)
    }

    fn unknown(&self, name: &Name, base: &str, has_parameter: bool) -> Diagnostic {
        if base == "token" {
            let message = "`token` has a length from 8 to 256: `token(51)`";
            return Diagnostic::new(Code::BadAttribute, name.span, message);
        }
        if has_parameter && (BASES.contains(&base) || self.named.contains_key(base)) {
            let message = match base {
                "timestamp" => "a timestamp is `seconds`, `zoned`, `millis` or `micros`".to_owned(),
                "text" | "integer" | "number" => {
                    format!("the parameter of `{base}` is a range, such as `1..100`")
                }
                _ => format!("`{base}` has no parameter"),
            };
            return Diagnostic::new(Code::BadAttribute, name.span, message);
        }
        let known = BASES
            .iter()
            .copied()
            .chain(self.named.keys().map(String::as_str));
        Diagnostic::new(
            Code::UnknownName,
            name.span,
            format!("there is no type `{base}`"),
        )
        .help_if(did_you_mean(base, known))
    }
}

/// Named types in an order in which each stands after those it is made of.
fn in_order<'f>(types: &'f [Attribute], findings: &mut Findings) -> Vec<&'f Attribute> {
    let mut done: Vec<&Attribute> = Vec::new();
    let mut waiting: Vec<&Attribute> = types.iter().collect();
    loop {
        let (ready, rest): (Vec<_>, Vec<_>) = waiting.iter().copied().partition(|candidate| {
            let base = base_of(&candidate.type_expression);
            let depends = |other: &&Attribute| base == Some(other.name.value.as_str());
            !waiting.iter().any(depends)
        });
        if ready.is_empty() {
            for attribute in rest {
                let message = format!("the type `{}` is made of itself", attribute.name.value);
                findings.error(Code::Cycle, attribute.name.span, message);
            }
            return done;
        }
        done.extend(ready);
        waiting = rest;
    }
}

fn base_of(expression: &TypeExpression) -> Option<&str> {
    match &expression.kind {
        TypeKind::Base { name, .. } => Some(&name.value),
        TypeKind::List { of, .. } => base_of(of),
        TypeKind::Enum(_) | TypeKind::Reference(_) | TypeKind::Computed(_) => None,
    }
}

fn text(bounds: Option<Bounds>) -> Kind {
    let length = bounds.unwrap_or(Bounds {
        least: Some(1),
        most: None,
    });
    let chars = |end: Option<i64>| end.and_then(|end| usize::try_from(end).ok());
    let interval = Length {
        min: chars(length.least).unwrap_or(0),
        max: chars(length.most),
    };
    let text = match interval.min {
        0 => Language::any_text(),
        _ => Language::nonempty_text(),
    };
    Kind::Text(TextRule {
        language: match interval {
            Length {
                min: 0 | 1,
                max: None,
            } => text,
            interval => text.with_length(interval),
        },
        length,
        matches: None,
        without: String::new(),
        blank: false,
    })
}

/// What `matches`, `without` and `blank` make of a type.
fn refine(mut kind: Kind, clauses: &[Clause], findings: &mut Findings) -> Option<Kind> {
    for clause in clauses {
        if !is_text_rule(clause) {
            continue;
        }
        let rule = match &mut kind {
            Kind::Text(rule) => rule,
            Kind::List { of, .. } => match of.as_mut() {
                Kind::Text(rule) => rule,
                _ => return only_text(clause.span, findings),
            },
            _ => return only_text(clause.span, findings),
        };
        match &clause.kind {
            ClauseKind::Matches(regex) => {
                let pattern = regex_language(regex, findings)?;
                rule.language = rule.language.intersect(&pattern);
                rule.matches = Some(regex.value.clone());
            }
            ClauseKind::Without(characters) => {
                let without: Vec<_> = characters.chars().filter(|c| !c.is_whitespace()).collect();
                rule.language = rule.language.without(&without);
                rule.without.extend(without);
            }
            ClauseKind::Blank => rule.blank = true,
            _ => {}
        }
        if rule.language.is_empty() {
            findings.error(Code::Contradiction, clause.span, "no text satisfies this");
            return None;
        }
    }
    Some(kind)
}

const fn is_text_rule(clause: &Clause) -> bool {
    matches!(
        clause.kind,
        ClauseKind::Matches(_) | ClauseKind::Without(_) | ClauseKind::Blank
    )
}

fn only_text(span: Span, findings: &mut Findings) -> Option<Kind> {
    findings.error(
        Code::BadAttribute,
        span,
        "only text has a pattern or forbidden characters, or can be blank",
    );
    None
}

fn regex_language(regex: &Name, findings: &mut Findings) -> Option<Language> {
    match Language::from_regex(&regex.value) {
        Ok(language) => Some(language),
        Err(problem) => {
            let span = Span {
                start: regex.span.start + problem.start.min(regex.value.len()),
                end: regex.span.start + problem.end.clamp(problem.start, regex.value.len()),
            };
            findings.error(
                Code::BadAttribute,
                span,
                format!("this pattern cannot be used: {}", problem.message),
            );
            None
        }
    }
}
