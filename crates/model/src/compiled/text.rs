//! A compiled model as text: what a generated file carries as a constant.
//!
//! The bytes of `bytes.rs`, compressed with zlib, in base64. A model of fifty entities takes a tenth of its bytes so.

use super::{BytesProblem, CompiledModel};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{Read, Write};

/// More than any model has, so that a few damaged bytes cannot fill the memory.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

impl CompiledModel {
    /// The model with its plans as text without line breaks, for [`CompiledModel::from_text`].
    pub fn to_text(&self) -> Result<String, BytesProblem> {
        compress(&self.to_bytes()?)
    }

    /// A model from what [`CompiledModel::to_text`] has made.
    pub fn from_text(text: &str) -> Result<Self, BytesProblem> {
        let packed = STANDARD.decode(text).map_err(|_| BytesProblem::NotAModel)?;
        let mut bytes = Vec::new();
        let mut unpacked = ZlibDecoder::new(packed.as_slice()).take(MAX_BYTES);
        let read = unpacked.read_to_end(&mut bytes);
        read.map_err(|_| BytesProblem::Damaged)?;
        Self::from_bytes(&bytes)
    }
}

fn compress(bytes: &[u8]) -> Result<String, BytesProblem> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    let packed = written.map_err(|error| BytesProblem::Unreadable(error.to_string()))?;
    Ok(STANDARD.encode(packed))
}
