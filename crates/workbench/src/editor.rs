//! The reader's editor: an address that opens a line of a file in it.

use monotable_rest::percent;
use std::path::Path;
use std::str::FromStr;

/// The addresses of editors that are known by name.
const KNOWN: &[(&str, &str)] = &[
    ("vscode", "vscode://file{file}:{line}"),
    ("vscodium", "vscodium://file{file}:{line}"),
    ("cursor", "cursor://file{file}:{line}"),
    ("windsurf", "windsurf://file{file}:{line}"),
    ("zed", "zed://file{file}:{line}"),
    ("idea", "idea://open?file={file}&line={line}"),
    ("textmate", "txmt://open?url=file://{file}&line={line}"),
];

/// An editor that opens addresses of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editor {
    /// With `{file}` and `{line}` in their places.
    template: String,
}

impl Default for Editor {
    fn default() -> Self {
        Self {
            template: KNOWN
                .first()
                .map(|(_, known)| (*known).to_owned())
                .unwrap_or_default(),
        }
    }
}

/// By its name, or by an address with `{file}` and `{line}`.
impl FromStr for Editor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some((_, template)) = KNOWN.iter().find(|(name, _)| *name == text) {
            return Ok(Self {
                template: (*template).to_owned(),
            });
        }
        let is_scheme = |scheme: &str| {
            !scheme.is_empty()
                && scheme
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        };
        let scheme = text.split_once("://").map(|(scheme, _)| scheme);
        if scheme.is_some_and(is_scheme) && text.contains("{file}") {
            return Ok(Self {
                template: text.to_owned(),
            });
        }
        let names: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
        Err(format!(
            "wanted is one of {}, or an address such as vscode://file{{file}}:{{line}}",
            names.join(", ")
        ))
    }
}

impl Editor {
    /// The address that opens a line of a file.
    pub(crate) fn address(&self, file: &Path, line: usize) -> String {
        let file = file.to_string_lossy().replace('\\', "/");
        let segments: Vec<String> = file.split('/').map(percent::encode).collect();
        let mut path = segments.join("/");
        if !path.starts_with('/') {
            // A drive of Windows comes first there.
            path.insert(0, '/');
        }
        let address = self.template.replace("{line}", &line.to_string());
        address.replace("{file}", &path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_file_and_line() {
        let file = Path::new("/home/ann/my models/a&b#.toml");
        let address = |name: &str| name.parse::<Editor>().unwrap().address(file, 12);
        assert_eq!(
            address("vscode"),
            "vscode://file/home/ann/my%20models/a%26b%23.toml:12"
        );
        assert_eq!(Editor::default(), "vscode".parse().unwrap());
        assert_eq!(
            address("idea"),
            "idea://open?file=/home/ann/my%20models/a%26b%23.toml&line=12"
        );
        assert_eq!(
            address("own://{file}?{line}"),
            "own:///home/ann/my%20models/a%26b%23.toml?12"
        );
    }

    #[test]
    fn what_is_no_address_of_an_editor_is_refused() {
        for text in [
            "",
            "emacs",
            "javascript:alert({file})",
            "http//{file}",
            "own://nothing",
        ] {
            assert!(text.parse::<Editor>().is_err(), "{text}");
        }
    }
}
