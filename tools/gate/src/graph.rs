use std::collections::{BTreeMap, BTreeSet};

use crate::metadata::{Edge, Kind, Metadata, PackageId};

/// The resolved dependencies without the dev-dependencies.
pub(crate) struct Graph<'a> {
    edges: BTreeMap<&'a PackageId, Vec<&'a PackageId>>,
}

impl<'a> Graph<'a> {
    pub(crate) fn of(metadata: &'a Metadata) -> Self {
        let edges = metadata.resolve.nodes.iter().map(|node| {
            let targets = node.deps.iter().filter(|edge| is_binding(edge));
            (&node.id, targets.map(|edge| &edge.pkg).collect())
        });
        Self {
            edges: edges.collect(),
        }
    }

    /// Everything reachable from `roots`, these included.
    pub(crate) fn reachable(
        &self,
        roots: impl IntoIterator<Item = &'a PackageId>,
    ) -> BTreeSet<&'a PackageId> {
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<_> = roots.into_iter().collect();
        while let Some(id) = waiting.pop() {
            if seen.insert(id) {
                waiting.extend(self.edges.get(id).into_iter().flatten());
            }
        }
        seen
    }
}

fn is_binding(edge: &Edge) -> bool {
    edge.dep_kinds
        .iter()
        .any(|edge_kind| edge_kind.kind != Some(Kind::Dev))
}
