//! Names of a model in the customs of other languages.

/// `persons_of_tree` becomes `personsOfTree`: an underscore goes, and the character behind it is upper case. Underscores at the
/// beginning stay.
pub(crate) fn camel_case(name: &str) -> String {
    let body = name.trim_start_matches('_');
    let lead = name.len() - body.len();
    let mut words = body.split('_').filter(|word| !word.is_empty());
    let mut text: String = name.chars().take(lead).collect();
    text.extend(words.next());
    for word in words {
        text.push_str(&capitalize(word));
    }
    text
}

/// `persons_of_tree` becomes `PersonsOfTree`.
pub(crate) fn pascal_case(name: &str) -> String {
    capitalize(&camel_case(name.trim_start_matches('_')))
}

/// `TreeId` and `treeId` become `tree_id`, `URLOfPage` becomes `url_of_page`, and `s3version` stays. What is no letter and no digit is
/// an underscore.
pub(crate) fn snake_case(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    let mut text = String::new();
    for (position, character) in characters.iter().enumerate() {
        if !character.is_alphanumeric() {
            text.push('_');
            continue;
        }
        let before = position.checked_sub(1).and_then(|at| characters.get(at));
        let after = characters.get(position + 1);
        let begins = before.is_some_and(|before| {
            let ends_word = before.is_lowercase() || before.is_numeric();
            let ends_capitals = before.is_uppercase() && after.is_some_and(|c| c.is_lowercase());
            character.is_uppercase() && (ends_word || ends_capitals)
        });
        if begins && !text.ends_with('_') {
            text.push('_');
        }
        text.extend(character.to_lowercase());
    }
    text
}

/// The name with an upper case letter at its beginning.
pub(crate) fn capitalize(name: &str) -> String {
    let mut characters = name.chars();
    let first = characters.next();
    let first = first.map(|first| first.to_uppercase().collect::<String>());
    first.unwrap_or_default() + characters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_in_camel_case() {
        assert_eq!(camel_case("persons_of_tree"), "personsOfTree");
        assert_eq!(camel_case("treeById"), "treeById");
        assert_eq!(camel_case("_own__rows_"), "_ownRows");
        assert_eq!(pascal_case("process_proof"), "ProcessProof");
    }

    /// Clients of all languages share these.
    #[test]
    fn names_are_those_of_the_vectors() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../packages/vectors/names.json"
        );
        let vectors: Vec<serde_json::Value> =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert!(!vectors.is_empty());
        for vector in vectors {
            let name = vector["model"].as_str().unwrap();
            assert_eq!(camel_case(name), vector["camel"], "{name}");
            assert_eq!(pascal_case(name), vector["pascal"], "{name}");
            assert_eq!(snake_case(name), vector["snake"], "{name}");
        }
    }

    #[test]
    fn fields_are_in_snake_case() {
        assert_eq!(snake_case("TreeId"), "tree_id");
        assert_eq!(snake_case("URLOfPage"), "url_of_page");
        assert_eq!(snake_case("s3version"), "s3version");
        assert_eq!(snake_case("Person1Id"), "person1_id");
        assert_eq!(snake_case("folder/Directory"), "folder_directory");
        assert_eq!(snake_case("IN_QUEUE"), "in_queue");
    }
}
