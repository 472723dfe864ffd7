//! The models of the repository's `models/` folder, with their sample data, as parts of the program. `build.rs` packs them.

use flate2::read::ZlibDecoder;
use monotable_workbench::ModelSource;
use std::io::Read;
use std::sync::LazyLock;

/// A model that needs no file.
#[derive(Debug)]
pub(crate) struct DemoModel {
    /// Its name, as `-m` takes it.
    pub(crate) name: &'static str,
    /// The text of its `model.toml`.
    pub(crate) text: String,
    /// The lines of its `sample.jsonl` (`sample.rs`).
    pub(crate) sample: String,
}

impl DemoModel {
    /// Its text, for the page that shows it.
    pub(crate) fn source(&self) -> ModelSource {
        ModelSource {
            name: self.name.to_owned(),
            file: format!("{}/model.toml", self.name),
            argument: self.name.to_owned(),
            path: None,
            text: self.text.clone(),
        }
    }
}

macro_rules! demo_models {
    ($($name:literal),+ $(,)?) => {
        /// All of them.
        pub(crate) static ALL: LazyLock<Vec<DemoModel>> = LazyLock::new(|| vec![
            $(DemoModel {
                name: $name,
                text: unpack(include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".model.toml"))),
                sample: unpack(include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".sample.jsonl"))),
            },)+
        ]);
    };
}

demo_models![
    "yggdrasil",
    "values",
    "formkiq",
    "processproof",
    "authorization"
];

/// A text that the build has packed. One that were damaged would end early, and be refused as a model.
fn unpack(packed: &[u8]) -> String {
    let mut text = String::new();
    drop(ZlibDecoder::new(packed).read_to_string(&mut text));
    text
}

/// The model of this name.
pub(crate) fn find(name: &str) -> Option<&'static DemoModel> {
    ALL.iter().find(|model| model.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_program_has_the_files_of_the_repository() {
        for model in ALL.iter() {
            let folder = Path::new("../../models").join(model.name);
            let read = |file| std::fs::read_to_string(folder.join(file)).unwrap();
            assert_eq!(model.text, read("model.toml"), "{}", model.name);
            assert_eq!(model.sample, read("sample.jsonl"), "{}", model.name);
        }
    }
}
