//! The models of the repository's `models/` folder, with their sample data, as parts of the program.

use monotable_workbench::ModelSource;

/// A model that needs no file.
#[derive(Debug)]
pub(crate) struct DemoModel {
    /// Its name, as `-m` takes it.
    pub(crate) name: &'static str,
    /// The text of its `model.toml`.
    pub(crate) text: &'static str,
    /// The lines of its `sample.jsonl` (`sample.rs`).
    pub(crate) sample: &'static str,
}

impl DemoModel {
    /// Its text, for the page that shows it.
    pub(crate) fn source(&self) -> ModelSource {
        ModelSource {
            name: self.name.to_owned(),
            file: format!("{}/model.toml", self.name),
            argument: self.name.to_owned(),
            path: None,
            text: self.text.to_owned(),
        }
    }
}

macro_rules! demo_models {
    ($($name:literal),+ $(,)?) => {
        /// All of them.
        pub(crate) const ALL: &[DemoModel] = &[
            $(DemoModel {
                name: $name,
                text: include_str!(concat!("../../../models/", $name, "/model.toml")),
                sample: include_str!(concat!("../../../models/", $name, "/sample.jsonl")),
            },)+
        ];
    };
}

demo_models![
    "yggdrasil",
    "values",
    "formkiq",
    "processproof",
    "authorization"
];

/// The model of this name.
pub(crate) fn find(name: &str) -> Option<&'static DemoModel> {
    ALL.iter().find(|model| model.name == name)
}
