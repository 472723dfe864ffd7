//! Attributes of an entity as a table.

use super::block::Block;
use super::inline::Inline;
use super::sentence;
use monotable_model::model::{Attribute, Default, Entity, Generator, Kind, Model, Role};

/// The attributes of an entity.
pub(crate) fn blocks(model: &Model, entity: &Entity) -> Vec<Block> {
    let own = entity.attributes.iter();
    let mut rows: Vec<_> = own
        .map(|attribute| row(model, &attribute.name.value, attribute))
        .collect();
    let families = entity.families.iter();
    rows.extend(
        families.map(|family| row(model, &format!("{}*", family.prefix), &family.attribute)),
    );
    if rows.is_empty() {
        return Vec::new();
    }
    vec![
        Block::caption("Attributes"),
        Block::table(
            format!("Attributes of {}", entity.name.value),
            &[
                "Name",
                "Kind",
                "Presence",
                "What the store does",
                "Stored as",
            ],
            rows,
        ),
    ]
}

/// A setting, or what is known of the principal.
pub(crate) fn plain_row(attribute: &Attribute) -> Vec<Inline> {
    let default = attribute.default.as_ref();
    vec![
        Inline::of_code(&attribute.name.value),
        kind(&attribute.kind),
        default.map_or_else(Inline::new, |default| {
            Inline::of_code(self::default(default))
        }),
    ]
}

fn row(model: &Model, name: &str, attribute: &Attribute) -> Vec<Inline> {
    let stored = match (attribute.key_only, attribute.stored == attribute.name.value) {
        (true, _) => Inline::prose("in keys only"),
        (false, true) => Inline::new(),
        (false, false) => Inline::of_code(&attribute.stored),
    };
    vec![
        Inline::of_code(name),
        kind_of(model, attribute),
        presence(attribute),
        Inline::join(done(model, attribute), "; "),
        stored,
    ]
}

fn kind_of(model: &Model, attribute: &Attribute) -> Inline {
    match &attribute.reference {
        Some(reference) => {
            let words = if reference.many {
                "references to "
            } else {
                "reference to "
            };
            Inline::new()
                .text(words)
                .then(sentence::entity(model, reference.target))
        }
        None => kind(&attribute.kind),
    }
}

/// A kind. The words of a long enum may be broken apart.
pub(crate) fn kind(kind: &Kind) -> Inline {
    match kind {
        Kind::Enum(words) => {
            let words = words.iter().map(|word| {
                let inline = Inline::of_code(&word.word);
                if word.aliases.is_empty() {
                    inline
                } else {
                    inline.text(format!(" (read also: {})", word.aliases.join(", ")))
                }
            });
            Inline::join(words, ", ")
        }
        Kind::List { of, length } => {
            let inner = Inline::new().text("list of ").then(self::kind(of));
            let end = |end: Option<i64>| end.map_or_else(String::new, |end| end.to_string());
            match (length.least, length.most) {
                (None, None) => inner,
                (least, most) => inner.text(format!(", {}..{} of them", end(least), end(most))),
            }
        }
        kind => Inline::of_code(kind.to_string()),
    }
}

fn presence(attribute: &Attribute) -> Inline {
    let presence = &attribute.presence;
    let required = presence.required_if.as_ref();
    let only = presence.only_if.as_ref();
    if matches!(attribute.kind, Kind::Never) {
        return "never: the name is reserved".into();
    }
    match (required, only) {
        (Some(required), Some(only)) if required.to_string() == only.to_string() => {
            sentence::condition("exactly if", only)
        }
        (Some(required), Some(only)) => sentence::condition("required if", required)
            .text("; ")
            .then(sentence::condition("only if", only)),
        (Some(required), None) => sentence::condition("required if", required),
        (None, Some(only)) if presence.optional => sentence::condition("optional, only if", only),
        (None, Some(only)) => sentence::condition("only if", only),
        (None, None) if presence.optional => "optional".into(),
        (None, None) => "required".into(),
    }
}

/// What the store does with it, in a few words each.
fn done(model: &Model, attribute: &Attribute) -> Vec<Inline> {
    let mut done = Vec::new();
    let mut say = |condition: bool, words: &str| {
        if condition {
            done.push(Inline::prose(words));
        }
    };
    if let Some(generator) = attribute.generated {
        say(
            true,
            &format!("generated if not given: {}", self::generator(generator)),
        );
    }
    say(attribute.role == Some(Role::Created), "set at create");
    say(attribute.role == Some(Role::Updated), "set at every write");
    say(
        attribute.role == Some(Role::Deleting),
        "set when a long delete begins",
    );
    say(attribute.immutable && !attribute.stamped, "never changes");
    say(attribute.movable, "in the key, a change moves the row");
    say(attribute.internal, "not in the API");
    say(attribute.distinct, "no repetitions");
    say(attribute.hashed.is_some(), "hashed with bcrypt");
    if let Some(secret) = attribute.secret {
        match secret.mask {
            Some((first, last)) => say(
                true,
                &format!("secret: shown with its first {first} and last {last} characters only"),
            ),
            None => say(true, "secret: never returned, logged or audited"),
        }
    }
    if let Some(version) = attribute.version {
        say(true, &format!("version of the shape; {version} is written"));
    }
    if let Some((reference, counter)) = &attribute.numbered {
        say(
            true,
            &format!(
                "next number of `{}` on the row `{}` names",
                counter.value, reference.value
            ),
        );
    }
    if let Some(position) = &attribute.position {
        say(
            true,
            &format!("place in the order within `{}`", position.value),
        );
    }
    say(
        !attribute.aliases.is_empty(),
        &format!("also read as `{}`", attribute.aliases.join("`, `")),
    );
    if let Some(message) = &attribute.message {
        say(true, &format!("refused with \u{201c}{message}\u{201d}"));
    }
    if let Some(default) = &attribute.default {
        let shown = self::default(default);
        done.push(if attribute.stamped {
            let set = Inline::new().text("set at create to ").code(shown);
            set.text(", never given")
        } else {
            Inline::new().text("default ").code(shown)
        });
    }
    if let Some(template) = &attribute.computed {
        done.push(
            Inline::new()
                .text("always ")
                .code(&template.text)
                .text(", never given"),
        );
    }
    if let Some(relation) = attribute.top {
        done.push(
            Inline::new()
                .text("the root reached by walking ")
                .then(sentence::entity(model, relation))
                .text(" up"),
        );
    }
    done
}

const fn generator(generator: Generator) -> &'static str {
    match generator {
        Generator::Uuid => "UUID",
        Generator::UuidV7 => "UUID version 7",
        Generator::Ulid => "ULID",
        Generator::Token(_) => "random letters and digits",
    }
}

fn default(default: &Default) -> String {
    match default {
        Default::Number(number) => number.clone(),
        Default::Flag(flag) => flag.to_string(),
        Default::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Default::Word(word) => word.value.clone(),
        Default::Template(template) => template.text.clone(),
        Default::Now { plus: 0 } => "now".to_owned(),
        Default::Now { plus } => format!("now + {plus} seconds"),
        Default::EmptyList => "[]".to_owned(),
    }
}
