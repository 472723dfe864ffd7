//! Pages of exports and imports: the youngest first, as AWS lists them.

/// A page, and what its last element is called if more follow.
pub(super) struct Page<T> {
    pub(super) elements: Vec<T>,
    pub(super) next: Option<String>,
}

/// The page behind `start` of what is given in its order, with its labels. Labels begin with the time.
pub(super) fn page<T>(
    elements: impl Iterator<Item = (String, T)>,
    start: Option<&str>,
    limit: usize,
) -> Page<T> {
    let mut all: Vec<(String, T)> = elements
        .filter(|(label, _)| start.is_none_or(|start| label.as_str() < start))
        .collect();
    all.sort_by(|(one, _), (other, _)| other.cmp(one));
    let has_more = all.len() > limit;
    all.truncate(limit);
    let last = all.last().map(|(label, _)| label.clone());
    Page {
        next: last.filter(|_| has_more),
        elements: all.into_iter().map(|(_, element)| element).collect(),
    }
}
