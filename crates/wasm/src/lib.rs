//! The data layer, and the engine in memory, for programs of other languages.
//!
//! Two WebAssembly modules are built of this crate (`packages/typescript/build-core`). `core.wasm` (feature `data`) has the
//! data layer: it decides what is sent, when and how often, and what an answer means; the host sends and sleeps. `memory.wasm`
//! (feature `memory`) has the engine, so that tests of a program have a DynamoDB in their own process.
//!
//! Layout:
//! - `abi.rs`: the exports of the modules, memory that goes in and out, and what they import. The only unsafe code, and only
//!   on WebAssembly; everything else are functions from JSON to JSON that native tests call;
//! - `data.rs`: stores and calls by their handles; `data/`: what is asked and answered, as JSON;
//! - `memory.rs`: requests of DynamoDB answered by the engine.

#[cfg(target_family = "wasm")]
mod abi;
#[cfg(feature = "data")]
pub mod data;
#[cfg(feature = "memory")]
pub mod memory;

/// The version of the exports. A host refuses a module of another version.
pub const ABI: u32 = 1;
