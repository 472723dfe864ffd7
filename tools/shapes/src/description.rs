//! AWS's description of the service.

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read};
use std::path::Path;

/// The operations of the service and the shapes of what they take and give.
#[derive(Clone, Debug, Deserialize)]
pub struct Description {
    pub(crate) operations: BTreeMap<String, Operation>,
    pub(crate) shapes: BTreeMap<String, Shape>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Operation {
    pub(crate) input: Option<Reference>,
    pub(crate) output: Option<Reference>,
    #[serde(default)]
    pub(crate) errors: Vec<Reference>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Reference {
    pub(crate) shape: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Shape {
    #[serde(rename = "type")]
    pub(crate) kind: Kind,
    #[serde(default)]
    pub(crate) members: BTreeMap<String, Reference>,
    #[serde(default)]
    pub(crate) required: Vec<String>,
    /// Of a list.
    pub(crate) member: Option<Reference>,
    /// Of a map.
    pub(crate) value: Option<Reference>,
    #[serde(default, rename = "enum")]
    pub(crate) words: Vec<String>,
    pub(crate) min: Option<i64>,
    pub(crate) max: Option<i64>,
    pub(crate) pattern: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Structure,
    List,
    Map,
    String,
    Blob,
    Boolean,
    Integer,
    Long,
    Double,
    Timestamp,
}

/// Why there is no description.
#[derive(Debug)]
pub enum DescriptionError {
    /// The file cannot be read.
    Io(io::Error),
    /// It is not a description of a service.
    Json(serde_json::Error),
}

impl Description {
    /// Reads the file, compressed or not.
    pub fn read(path: &Path) -> Result<Self, DescriptionError> {
        let bytes = std::fs::read(path).map_err(DescriptionError::Io)?;
        if !bytes.starts_with(&[0x1f, 0x8b]) {
            return Self::parse(&bytes);
        }
        let mut unpacked = Vec::new();
        MultiGzDecoder::new(bytes.as_slice())
            .read_to_end(&mut unpacked)
            .map_err(DescriptionError::Io)?;
        Self::parse(&unpacked)
    }

    /// Reads the JSON.
    pub fn parse(json: &[u8]) -> Result<Self, DescriptionError> {
        let description: Self = serde_json::from_slice(json).map_err(DescriptionError::Json)?;
        description.check_references()?;
        Ok(description)
    }

    /// Every shape that is named must be there, so that nobody has to ask again.
    fn check_references(&self) -> Result<(), DescriptionError> {
        let of_operations = self.operations.values().flat_map(|operation| {
            let errors = operation.errors.iter();
            errors.chain(&operation.input).chain(&operation.output)
        });
        let of_shapes = self.shapes.values().flat_map(|shape| {
            let members = shape.members.values();
            members.chain(&shape.member).chain(&shape.value)
        });
        match of_operations
            .chain(of_shapes)
            .find(|reference| !self.shapes.contains_key(&reference.shape))
        {
            None => Ok(()),
            Some(missing) => Err(DescriptionError::Json(serde::de::Error::custom(format!(
                "the shape {} is not described",
                missing.shape
            )))),
        }
    }

    /// A shape by its name; those that the description refers to are all there.
    pub(crate) fn shape(&self, name: &str) -> Option<&Shape> {
        self.shapes.get(name)
    }
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Json(error) => write!(f, "not a service description of botocore: {error}"),
        }
    }
}

impl std::error::Error for DescriptionError {}
