//! "Did you mean": the nearest of the names that exist.

/// The nearest candidate, if it is near enough to be a slip.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()),
                candidate,
            )
        })
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(3) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// A sentence for a help line, if there is a near name.
pub(crate) fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(name, candidates).map(|near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_slips_are_suggested() {
        let names = ["Person", "Tree", "ParentChild"];
        assert_eq!(nearest("Persom", names), Some("Person"));
        assert_eq!(nearest("person", names), Some("Person"));
        assert_eq!(nearest("Tere", names), Some("Tree"));
        assert_eq!(nearest("Invoice", names), None);
    }
}
