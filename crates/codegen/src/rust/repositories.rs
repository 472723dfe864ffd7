//! Repositories and carries.

use super::fields::{ItemField, write_item_struct};
use super::value::Place;
use super::{Generator, field_name, module_name};
use crate::names::pascal_case;
use crate::problem::Problem;
use crate::surface::{GivenAttribute, RepositorySurface};
use monotable_model::model::{EntityId, Kind};

impl Generator<'_> {
    /// The module of repositories, if there are any.
    pub(super) fn write_repositories(&self) -> Result<String, Problem> {
        if self.surface.repositories.is_empty() {
            return Ok(String::new());
        }
        let mut text = String::from(
            "\n/// Versioned data.\npub mod repositories {\n    use monotable_store::typed as mt;\n\n\
             \x20   /// One method for each repository of the model.\n    #[derive(Clone, Copy, Debug)]\n\
             \x20   pub struct Repositories<'s> {\n        pub(super) store: &'s mt::Store,\n    }\n\n\
             \x20   impl<'s> Repositories<'s> {\n",
        );
        for known in &self.surface.repositories {
            let name = &known.repository.name.value;
            let handle = pascal_case(name);
            let head = self.module_of(known.repository.head);
            text.push_str(&format!(
                "        /// One `{name}`.\n        pub fn {}(&self, head: super::{head}::Key) -> {handle}<'s> {{\n\
                 \x20           {handle} {{ store: self.store, head: head.into() }}\n        }}\n\n",
                field_name(name)
            ));
        }
        text.push_str(
            "        /// Commits to several repositories, all or none; the answer is the new revisions.\n\
             \x20       pub fn commit_all(&self, commits: Vec<mt::Commit>) -> mt::TypedCall<'s, mt::CommitAll, mt::TypedCommitted<mt::Row>> {\n\
             \x20           mt::TypedCall::committed(self.store.commit_all(commits))\n        }\n    }\n",
        );
        for known in &self.surface.repositories {
            text.push_str(&self.write_repository(known)?);
        }
        text.push_str("}\n");
        Ok(text)
    }

    fn module_of(&self, id: EntityId) -> String {
        module_name(&self.surface.model.entity(id).name.value)
    }

    fn write_repository(&self, known: &RepositorySurface<'_>) -> Result<String, Problem> {
        let repository = known.repository;
        let name = &repository.name.value;
        let handle = pascal_case(name);
        let rows = format!("{handle}Row");
        let log = self.row_type(repository.log);
        let head = self.row_type(repository.head);
        let about = format!("A row of a revision of `{name}`.");
        let mut text = self.write_mixed(&rows, &about, known.entities);
        let says = self.says_fields(repository.log, &known.says);
        let about = "What a commit says of its revision.";
        text.push_str(&write_item_struct(
            "    ",
            &format!("{handle}Says"),
            about,
            &says,
            None,
        )?);
        text.push_str(&format!(
            r#"
    /// One `{name}`.
    #[derive(Clone, Debug)]
    pub struct {handle}<'s> {{
        store: &'s mt::Store,
        head: mt::Item,
    }}

    impl<'s> {handle}<'s> {{
        /// Begins a commit, which collects changes.
        pub fn commit(&self, says: {handle}Says) -> {handle}Commit<'s> {{
            let mut commit = mt::Commit::new({name:?}, self.head.clone());
            commit.values = says.into();
            {handle}Commit {{ store: self.store, commit }}
        }}

        /// The rows of a revision.
        pub fn show(&self, at: mt::At) -> mt::TypedCall<'s, mt::Show, mt::TypedSnapshot<{rows}>> {{
            mt::TypedCall::snapshot(self.store.show({name:?}, self.head.clone(), at))
        }}

        /// What relations lead to from the row with an id, in their order.
        pub fn children(&self, at: mt::At, id: &str) -> mt::TypedCall<'s, mt::Show, mt::TypedSnapshot<{rows}>> {{
            mt::TypedCall::snapshot(self.store.children({name:?}, self.head.clone(), at, id))
        }}

        /// What two revisions differ in.
        pub fn diff(&self, from: mt::At, to: mt::At) -> mt::TypedCall<'s, mt::Diff, mt::TypedDifferences<{rows}>> {{
            mt::TypedCall::differences(self.store.diff({name:?}, self.head.clone(), from, to))
        }}

        /// The revisions, the newest first; the head comes along.
        pub fn log(&self) -> mt::TypedCall<'s, mt::Log, mt::TypedPage<{log}, {head}>> {{
            mt::TypedCall::log(self.store.log({name:?}, self.head.clone()))
        }}

        /// The head moved to a revision of the log.
        pub fn rollback(&self, to: &str) -> mt::TypedCall<'s, mt::Rollback, {head}> {{
            mt::TypedCall::row(self.store.rollback({name:?}, self.head.clone(), to))
        }}

        /// A new revision with the rows of an old one.
        pub fn revert(&self, to: mt::At, says: {handle}Says) -> mt::TypedCall<'s, mt::Revert, mt::TypedCommitted<{log}>> {{
            mt::TypedCall::committed(self.store.revert({name:?}, self.head.clone(), to, says.into()))
        }}

        /// Deletes what commits left that began so long ago and never finished.
        pub fn sweep(&self, older_than: mt::Duration) -> mt::TypedCall<'s, mt::Sweep, mt::SweepReport> {{
            mt::TypedCall::new(self.store.sweep({name:?}, self.head.clone(), older_than), |report| report)
        }}
    }}

    /// Changes that become one revision of `{name}`.
    #[must_use = "a commit does nothing until it is sent"]
    #[derive(Clone, Debug)]
    pub struct {handle}Commit<'s> {{
        store: &'s mt::Store,
        commit: mt::Commit,
    }}

    impl<'s> {handle}Commit<'s> {{
        /// What the revision follows; the head if nothing is said.
        pub fn after(mut self, parent: mt::Parent) -> Self {{
            self.commit.parent = parent;
            self
        }}

"#
        ));
        for id in known.entities {
            text.push_str(&self.write_changes(*id));
        }
        text.push_str(&format!(
            r#"        /// The call that makes the revision.
        pub fn send(self) -> mt::TypedCall<'s, mt::Commit, mt::TypedCommitted<{log}>> {{
            mt::TypedCall::committed(self.store.commit(self.commit))
        }}

        /// The commit as a part of several.
        pub fn into_commit(self) -> mt::Commit {{
            self.commit
        }}
    }}
"#
        ));
        Ok(text)
    }

    /// Methods of a commit for rows of one entity.
    fn write_changes(&self, id: EntityId) -> String {
        let entity = &self.surface.model.entity(id).name.value;
        let module = module_name(entity);
        let bare = module.trim_end_matches('_');
        let add = |verb: &str, about: &str, arguments: &str, operation: String| {
            format!(
                "        /// {about} `{entity}`.\n        pub fn {verb}_{bare}(mut self, {arguments}) -> Self {{\n\
                 \x20           self.commit = self.commit.change({operation});\n            self\n        }}\n\n"
            )
        };
        let values = format!("values: super::{module}::New");
        let named = format!("id: super::{module}::Id");
        let changed = format!("{named}, change: super::{module}::Change");
        let fields = format!("entity: {entity:?}.to_owned()");
        [
            add(
                "create",
                "Makes a",
                &values,
                format!("mt::Create {{ {fields}, values: values.into() }}"),
            ),
            add(
                "put",
                "Makes or replaces a",
                &values,
                format!("mt::Put {{ {fields}, values: values.into() }}"),
            ),
            add(
                "update",
                "Changes a",
                &changed,
                format!("mt::Update {{ {fields}, key: id.into(), change: change.into() }}"),
            ),
            add(
                "delete",
                "Deletes a",
                &named,
                format!("mt::Delete {{ {fields}, key: id.into() }}"),
            ),
        ]
        .concat()
    }

    fn says_fields(&self, log: EntityId, says: &[GivenAttribute<'_>]) -> Vec<ItemField> {
        let entity = self.surface.model.entity(log);
        let module = module_name(&entity.name.value);
        let says = says.iter();
        says.map(|given| {
            debug_assert!(!matches!(given.attribute.kind, Kind::Never));
            ItemField::of_given(entity, given, Place::Outside(&module))
        })
        .collect()
    }

    /// The module of carries, if there are any.
    pub(super) fn write_carries(&self) -> String {
        if self.surface.carries.is_empty() {
            return String::new();
        }
        let mut text = String::from(
            "\n/// The carries.\npub mod carries {\n    use monotable_store::typed as mt;\n\n\
             \x20   /// One method for each carry.\n    #[derive(Clone, Copy, Debug)]\n\
             \x20   pub struct Carries<'s> {\n        pub(super) store: &'s mt::Store,\n    }\n\n    impl<'s> Carries<'s> {\n",
        );
        for known in &self.surface.carries {
            let name = &known.carry.name.value;
            let head = self.module_of(known.from.head);
            let mut arguments = vec!["&self".to_owned(), format!("head: super::{head}::Key")];
            let mut puts = String::new();
            for field in self.says_fields(known.to.log, &known.says) {
                let put = if field.is_required {
                    "put"
                } else {
                    "put_optional"
                };
                let of = if field.is_required {
                    field.of
                } else {
                    format!("Option<{}>", field.of)
                };
                arguments.push(format!("{}: {of}", field.name));
                puts.push_str(&format!(
                    "            mt::{put}(&mut says, {:?}, {});\n",
                    field.attribute, field.name
                ));
            }
            let is_changed = if puts.is_empty() { "" } else { "mut " };
            let log = self.row_type(known.to.log);
            text.push_str(&format!(
                "        /// Commits rows of a `{}` to a `{}`.\n\
                 \x20       pub fn {}({}) -> mt::TypedCall<'s, mt::Carry, mt::TypedCommitted<{log}>> {{\n\
                 \x20           let {is_changed}says = mt::Item::new();\n{puts}\
                 \x20           mt::TypedCall::committed(self.store.carry({name:?}, head.into(), says))\n        }}\n\n",
                known.from.name.value,
                known.to.name.value,
                field_name(name),
                arguments.join(", ")
            ));
        }
        text.pop();
        text.push_str("    }\n}\n");
        text
    }
}
