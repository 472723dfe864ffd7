//! Small random models, made to collide: few literals, few delimiters, values that may contain them.

use proptest::prelude::*;

#[derive(Clone, Debug)]
pub(crate) struct RandomModel {
    entities: Vec<RandomEntity>,
    conditions: Vec<RandomCondition>,
}

#[derive(Clone, Debug)]
struct RandomEntity {
    /// The types of its attributes a, b and c.
    types: [usize; 3],
    key: [Vec<Piece>; 2],
}

/// A piece of a template.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Literal(usize),
    Attribute(usize),
    /// The attribute with padding, if it is a number; otherwise as it is.
    Padded(usize),
}

#[derive(Clone, Debug)]
struct RandomCondition {
    entity: usize,
    /// How many pieces of the sort key the condition keeps; all: the whole key.
    kept: usize,
}

const LITERALS: &[&str] = &["A#", "#", "A", "B#"];

/// Types of attributes: with and without the delimiter, bounded and not, words and numbers.
const TYPES: &[&str] = &[
    "text(1..3), without = #",
    "text(1..4)",
    "text, matches = /[ab]+/",
    "text, matches = /[a-b#]{1,3}/",
    "A | B | A#x",
    "integer(0..99), immutable",
    "ulid",
    "date",
    "text(0..2), without = #:",
];

pub(crate) fn random_model() -> impl Strategy<Value = RandomModel> {
    let entities = prop::collection::vec((random_entity(), random_copy()), 2..5);
    entities.prop_flat_map(|entities| {
        let entities = related(entities);
        let count = entities.len();
        let condition =
            (0..count, 0..5_usize).prop_map(|(entity, kept)| RandomCondition { entity, kept });
        let conditions = prop::collection::vec(condition, 1..4);
        (Just(entities), conditions).prop_map(|(entities, conditions)| RandomModel {
            entities,
            conditions,
        })
    })
}

/// How an entity's key differs from that of the one before it, if it is made of it.
#[derive(Clone, Debug)]
struct Copied {
    part: usize,
    at: usize,
    piece: Piece,
}

/// Two keys out of three are a changed copy of another, so that keys often meet.
fn related(entities: Vec<(RandomEntity, Option<Copied>)>) -> Vec<RandomEntity> {
    let mut all: Vec<RandomEntity> = Vec::new();
    for (mut entity, copied) in entities {
        if let (Some(last), Some(copied)) = (all.last(), copied) {
            entity.key = last.key.clone();
            let pieces = &mut entity.key[copied.part];
            let at = copied.at % pieces.len();
            pieces[at] = copied.piece;
        }
        all.push(entity);
    }
    all
}

fn random_copy() -> impl Strategy<Value = Option<Copied>> {
    let copied = (0..2_usize, 0..4_usize, random_piece()).prop_map(|(part, at, piece)| Copied {
        part,
        at,
        piece,
    });
    prop::option::weighted(0.66, copied)
}

fn random_piece() -> impl Strategy<Value = Piece> + Clone {
    prop_oneof![
        (0..LITERALS.len()).prop_map(Piece::Literal),
        (0..3_usize).prop_map(Piece::Attribute),
        (0..3_usize).prop_map(Piece::Padded),
    ]
}

fn random_entity() -> impl Strategy<Value = RandomEntity> {
    let types = prop::array::uniform3(0..TYPES.len());
    let template = prop::collection::vec(random_piece(), 1..4);
    (types, template.clone(), template).prop_map(|(types, hash, range)| RandomEntity {
        types,
        key: [hash, range],
    })
}

fn text(entity: &RandomEntity, pieces: &[Piece]) -> String {
    let name = |attribute: usize| ["a", "b", "c"][attribute];
    let piece = |piece: &Piece| match *piece {
        Piece::Literal(literal) => LITERALS[literal].to_owned(),
        Piece::Padded(attribute) if TYPES[entity.types[attribute]].starts_with("integer") => {
            format!("{{{}:02}}", name(attribute))
        }
        Piece::Attribute(attribute) | Piece::Padded(attribute) => {
            format!("{{{}}}", name(attribute))
        }
    };
    pieces.iter().map(piece).collect()
}

impl RandomModel {
    pub(crate) fn to_toml(&self) -> String {
        let mut toml =
            "monotable = 1\nmodel = \"random\"\n\n[table.Tab]\nkey = [\"PK\", \"SK\"]\n".to_owned();
        for (number, entity) in self.entities.iter().enumerate() {
            let [hash, range] = &entity.key;
            // An enum with a delimiter in a word is no type of the language; such attributes are plain words.
            toml += &format!(
                "\n[entity.E{number}]\nkey = [\"{}\", \"{}\"]\nwrites = [\"create\"]\n\n[entity.E{number}.attributes]\n",
                text(entity, hash),
                text(entity, range)
            );
            for (name, kind) in ["a", "b", "c"].iter().zip(entity.types) {
                let kind = TYPES[kind].replace(" | A#x", " | AB");
                toml += &format!("{name} = \"{kind}\"\n");
            }
        }
        for (number, condition) in self.conditions.iter().enumerate() {
            let entity = &self.entities[condition.entity];
            let [hash, range] = &entity.key;
            let kept = condition.kept.min(range.len());
            let sort = match &range[..kept] {
                [] => String::new(),
                all if kept == range.len() => format!(", \"{}\"", text(entity, all)),
                // A prefix ends with a literal, as the language demands.
                some => match some
                    .iter()
                    .rposition(|piece| matches!(piece, Piece::Literal(_)))
                {
                    Some(last) => format!(", \"{}*\"", text(entity, &some[..=last])),
                    None => String::new(),
                },
            };
            toml += &format!(
                "\n[access.p{number}]\nkey = [\"{}\"{sort}]\nreturns = [\"E{}\"]\n",
                text(entity, hash),
                condition.entity
            );
        }
        toml
    }
}
