//! Packs the models of the demo with their sample data, which are texts of 400 KB, so that the program carries a fifth of that.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;

const MODELS: &str = "../../models";

fn main() -> Result<(), Box<dyn Error>> {
    let target = std::env::var("OUT_DIR")?;
    println!("cargo::rerun-if-changed={MODELS}");
    for entry in fs::read_dir(MODELS)? {
        let folder = entry?.path();
        let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        for file in ["model.toml", "sample.jsonl"] {
            let packed = Path::new(&target).join(format!("{name}.{file}"));
            pack(&folder.join(file), &packed)?;
        }
    }
    Ok(())
}

fn pack(text: &Path, packed: &Path) -> Result<(), Box<dyn Error>> {
    let mut encoder = ZlibEncoder::new(fs::File::create(packed)?, Compression::best());
    encoder.write_all(&fs::read(text)?)?;
    encoder.finish()?;
    Ok(())
}
