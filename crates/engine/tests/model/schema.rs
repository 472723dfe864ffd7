//! The tables that a sequence may create: keys of all types, indexes of all kinds.

use crate::value::Kind;
use monotable_api::{
    CreateTableInput, GlobalSecondaryIndex, IndexProjection, LocalSecondaryIndex,
    ScalarAttributeType, StreamViewType,
};

#[derive(Clone, Debug)]
pub struct Schema {
    pub hash: (&'static str, Kind),
    pub range: Option<(&'static str, Kind)>,
    pub indexes: Vec<IndexSchema>,
}

#[derive(Clone, Debug)]
pub struct IndexSchema {
    pub name: &'static str,
    pub local: bool,
    pub hash: (&'static str, Kind),
    pub range: Option<(&'static str, Kind)>,
    pub projection: Projected,
}

#[derive(Clone, Debug)]
pub enum Projected {
    All,
    KeysOnly,
    Include(&'static [&'static str]),
}

pub const TABLES: [&str; 3] = ["Tab0", "Tab1", "Tab2"];
pub const SCHEMAS: u8 = 6;
/// All others have a stream.
const WITHOUT_STREAM: &str = "Tab0";

const X: (&str, Kind) = ("x", Kind::S);
const Y: (&str, Kind) = ("y", Kind::N);
const Z: (&str, Kind) = ("z", Kind::B);

fn local(
    name: &'static str,
    table: &Schema,
    range: (&'static str, Kind),
    projection: Projected,
) -> IndexSchema {
    IndexSchema {
        name,
        local: true,
        hash: table.hash,
        range: Some(range),
        projection,
    }
}

fn global(
    name: &'static str,
    hash: (&'static str, Kind),
    range: Option<(&'static str, Kind)>,
    projection: Projected,
) -> IndexSchema {
    IndexSchema {
        name,
        local: false,
        hash,
        range,
        projection,
    }
}

fn table(hash: Kind, range: Option<Kind>) -> Schema {
    Schema {
        hash: ("pk", hash),
        range: range.map(|kind| ("sk", kind)),
        indexes: Vec::new(),
    }
}

pub fn schema(number: u8) -> Schema {
    use Projected::{All, Include, KeysOnly};
    let mut schema = match number % SCHEMAS {
        0 => table(Kind::S, None),
        1 => table(Kind::S, Some(Kind::N)),
        2 => table(Kind::N, Some(Kind::B)),
        3 => table(Kind::B, Some(Kind::S)),
        4 => table(Kind::N, None),
        _ => table(Kind::S, Some(Kind::S)),
    };
    schema.indexes = match number % SCHEMAS {
        0 => vec![],
        1 => vec![
            local("local-y", &schema, Y, KeysOnly),
            global("global-x", X, None, All),
        ],
        2 => vec![
            local("local-z", &schema, Z, All),
            global("global-xy", X, Some(Y), Include(&["a", "m"])),
            global("global-z", Z, None, KeysOnly),
        ],
        3 => vec![
            local("local-x", &schema, X, Include(&["a"])),
            global("inverted", ("sk", Kind::S), Some(schema.hash), All),
        ],
        4 => vec![global("global-yx", Y, Some(X), All)],
        _ => vec![
            local("local-y", &schema, Y, Include(&["n", "x"])),
            global("global-pz", ("pk", Kind::S), Some(Z), KeysOnly),
            global("global-yz", Y, Some(Z), Include(&["l"])),
        ],
    };
    schema
}

const fn wire(kind: Kind) -> ScalarAttributeType {
    match kind {
        Kind::S => ScalarAttributeType::S,
        Kind::N => ScalarAttributeType::N,
        Kind::B => ScalarAttributeType::B,
    }
}

impl Schema {
    pub fn keys(&self) -> impl Iterator<Item = (&'static str, Kind)> + use<> {
        std::iter::once(self.hash).chain(self.range)
    }

    pub fn has_global(&self) -> bool {
        self.indexes.iter().any(|index| !index.local)
    }

    pub fn create(&self, name: &str) -> CreateTableInput {
        let mut input = CreateTableInput::new(name, self.hash.0, wire(self.hash.1));
        if let Some((range, kind)) = self.range {
            input = input.range(range, wire(kind));
        }
        let mut defined: Vec<&str> = self.keys().map(|(name, _)| name).collect();
        for index in &self.indexes {
            for (name, kind) in index.keys() {
                if !defined.contains(&name) {
                    defined.push(name);
                    input = input.attribute(name, wire(kind));
                }
            }
            input = index.add_to(input);
        }
        if name == WITHOUT_STREAM {
            input
        } else {
            input.stream(StreamViewType::NewAndOldImages)
        }
    }
}

impl IndexSchema {
    pub fn keys(&self) -> impl Iterator<Item = (&'static str, Kind)> + use<> {
        std::iter::once(self.hash).chain(self.range)
    }

    /// Whether every entry has what its item has of this attribute.
    pub fn holds(&self, table: &Schema, attribute: &str) -> bool {
        let mut keys = self.keys().chain(table.keys());
        keys.any(|(name, _)| name == attribute)
            || match self.projection {
                Projected::All => true,
                Projected::KeysOnly => false,
                Projected::Include(names) => names.contains(&attribute),
            }
    }

    pub const fn holds_all(&self) -> bool {
        matches!(self.projection, Projected::All)
    }

    fn add_to(&self, input: CreateTableInput) -> CreateTableInput {
        let projection = match self.projection {
            Projected::All => IndexProjection::all(),
            Projected::KeysOnly => IndexProjection::keys_only(),
            Projected::Include(names) => IndexProjection::include(names.iter().copied()),
        };
        if self.local {
            let range = self.range.map_or("", |(name, _)| name);
            let index = LocalSecondaryIndex::new(self.name, self.hash.0, range);
            return input.local_index(index.projection(projection));
        }
        let mut index = GlobalSecondaryIndex::new(self.name, self.hash.0);
        if let Some((range, _)) = self.range {
            index = index.range(range);
        }
        input.global_index(index.projection(projection))
    }
}
