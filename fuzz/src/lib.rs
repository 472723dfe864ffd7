//! What all programs of this folder do.

/// Runs a target and panics, which is how the fuzzer learns of it, if a property does not hold.
pub fn run(name: &str, input: &[u8]) {
    let target = monotable_fuzz::find(name).expect("tools/fuzz has a target of this name");
    if let Err(flaw) = (target.check)(input) {
        panic!("{flaw:?}");
    }
}
