//! Styles and modules, embedded in the program and served under a hash of their content.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

/// A file of the page.
pub(crate) struct Asset {
    pub(crate) name: &'static str,
    pub(crate) content_type: &'static str,
    pub(crate) text: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! script {
    ($name:literal) => {
        Asset {
            name: $name,
            content_type: SCRIPT,
            text: include_str!(concat!("../assets/", $name)),
        }
    };
}

/// All of them.
pub(crate) const ALL: &[Asset] = &[
    Asset {
        name: "workbench.css",
        content_type: "text/css; charset=utf-8",
        text: concat!(
            include_str!("../assets/tokens.css"),
            include_str!("../assets/frame.css"),
            include_str!("../assets/controls.css"),
            include_str!("../assets/evidence.css"),
            include_str!("../assets/screens.css"),
            include_str!("../assets/additions.css"),
            include_str!("../assets/narrow.css"),
        ),
    },
    Asset {
        name: "logo.svg",
        content_type: "image/svg+xml",
        text: include_str!("../assets/logo.svg"),
    },
    script!("theme.js"),
    script!("main.js"),
    script!("page.js"),
    script!("keys.js"),
    script!("palette.js"),
    script!("drawer.js"),
    script!("edit.js"),
    script!("windows.js"),
    script!("live.js"),
    script!("signin.js"),
];

/// A hash of all of them: a changed file has another address, so browsers may keep each forever.
pub(crate) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    for asset in ALL {
        asset.text.hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
});

/// The address of a file.
pub(crate) fn address(name: &str) -> String {
    format!("/ui/assets/{}/{name}", *VERSION)
}

/// The file of a name.
pub(crate) fn find(name: &str) -> Option<&'static Asset> {
    ALL.iter().find(|asset| asset.name == name)
}
