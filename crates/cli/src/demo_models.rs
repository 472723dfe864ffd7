//! The five demo models, built into the binary: `-m yggdrasil` works in an empty folder.

/// Every demo model by its name.
pub(crate) const ALL: [(&str, &str); 5] = [
    (
        "authorization",
        include_str!("../../../models/authorization/model.toml"),
    ),
    (
        "formkiq",
        include_str!("../../../models/formkiq/model.toml"),
    ),
    (
        "processproof",
        include_str!("../../../models/processproof/model.toml"),
    ),
    ("values", include_str!("../../../models/values/model.toml")),
    (
        "yggdrasil",
        include_str!("../../../models/yggdrasil/model.toml"),
    ),
];

/// The text of the demo model with this name.
pub(crate) fn find(name: &str) -> Option<&'static str> {
    let mut models = ALL.iter();
    models
        .find(|(known, _)| *known == name)
        .map(|(_, text)| *text)
}
