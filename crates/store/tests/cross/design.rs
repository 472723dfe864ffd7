//! A model in the making: the entity `Thing`, which every mechanism is declared on, and what stands around it.
//!
//! A path decides what things are (rows of their own, rows derived from a source, leaves of a path, rows of a
//! snapshot); a mechanism adds attributes and sections. The text of the model is made last.

use std::fmt::Write;

/// What things are in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Rows that callers write.
    Row,
    /// Rows that callers write and that can be thrown away.
    Binned,
    /// Rows that follow from a `Source` with the same attributes.
    Derived,
    /// Leaves of the paths of `File`s with the same attributes.
    Leaf,
    /// Rows of the snapshots of a repository.
    Snapshot,
}

/// One entity.
#[derive(Clone, Debug)]
pub(crate) struct Entity {
    pub(crate) name: &'static str,
    pub(crate) key: [String; 2],
    /// Its other lines, such as `on_exists = "fraction"`.
    lines: Vec<String>,
    attributes: Vec<(String, String)>,
    /// Its rows are told apart by their keys alone.
    untyped: bool,
}

impl Entity {
    pub(crate) fn new(name: &'static str, partition: &str, sort: &str) -> Self {
        Self {
            untyped: false,
            name,
            key: [partition.to_owned(), sort.to_owned()],
            lines: Vec::new(),
            attributes: Vec::new(),
        }
    }

    /// Without discriminator.
    pub(crate) fn untyped(mut self) -> Self {
        self.untyped = true;
        self
    }

    /// With a discriminator again.
    pub(crate) fn set_typed(&mut self) {
        self.untyped = false;
    }

    pub(crate) fn with_line(mut self, line: &str) -> Self {
        self.add_line(line);
        self
    }

    pub(crate) fn with(mut self, name: &str, declaration: &str) -> Self {
        self.add(name, declaration);
        self
    }

    pub(crate) fn add_line(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    pub(crate) fn add(&mut self, name: &str, declaration: &str) {
        self.attributes
            .push((name.to_owned(), declaration.to_owned()));
    }

    /// Adds a clause to an attribute that is declared already.
    pub(crate) fn add_clause(&mut self, name: &str, clause: &str) {
        let found = self.attributes.iter_mut().find(|(known, _)| known == name);
        let (_, declaration) = found.expect("the attribute is declared before its clauses");
        let _ = write!(declaration, ", {clause}");
    }

    fn write(&self, text: &mut String) {
        let Self { name, key, .. } = self;
        let [partition, sort] = key;
        let _ = writeln!(text, "\n[entity.{name}]");
        if !self.untyped {
            let _ = writeln!(text, "is = {{ Type = \"{name}\" }}");
        }
        let _ = writeln!(text, "key = [\"{partition}\", \"{sort}\"]");
        for line in &self.lines {
            let _ = writeln!(text, "{line}");
        }
        let _ = writeln!(text, "\n[entity.{name}.attributes]");
        for (name, declaration) in &self.attributes {
            let _ = writeln!(text, "{name} = \"{declaration}\"");
        }
    }
}

/// A model in the making.
#[derive(Clone, Debug)]
pub(crate) struct Design {
    pub(crate) role: Role,
    /// A thing is an item of several rows.
    pub(crate) spread: bool,
    pub(crate) thing: Entity,
    /// What each thing stands on.
    pub(crate) shelf: Entity,
    /// What things follow from, if they follow from something.
    origin: Option<Entity>,
    others: Vec<Entity>,
    sections: Vec<String>,
    /// Names of indexes that are used, and their keys.
    indexes: Vec<(&'static str, String)>,
    /// Patterns whose rows change with a thing that moves.
    pub(crate) carried: Vec<String>,
    /// Entities whose rows go when a thing is thrown away, and are made again.
    pub(crate) removed: Vec<String>,
    /// Entities of the snapshot beside the thing.
    versioned: Vec<&'static str>,
}

/// The type of ids that callers choose.
pub(crate) const ID: &str = "text(1..20), without = #";

impl Design {
    pub(crate) fn new(role: Role) -> Self {
        let shelf = Entity::new("Shelf", "SHELF#{shelfId}", "SHELF").with("shelfId", ID);
        let mut design = Self {
            role,
            spread: false,
            thing: thing(role),
            shelf,
            origin: None,
            others: Vec::new(),
            sections: Vec::new(),
            indexes: Vec::new(),
            carried: Vec::new(),
            removed: Vec::new(),
            versioned: Vec::new(),
        };
        design.surround();
        design
    }

    /// Declares what the role needs beside the thing.
    fn surround(&mut self) {
        match self.role {
            Role::Row => {}
            Role::Binned => self.surround_binned(),
            Role::Derived => self.surround_derived(),
            Role::Leaf => self.surround_leaf(),
            Role::Snapshot => self.surround_snapshot(),
        }
    }

    fn surround_binned(&mut self) {
        let binned = Entity::new("Binned", "BIN#{shelfId}", "THING#{thingId}")
            .with_line("open = true")
            .with_line("writes = []")
            .with("shelfId", ID)
            .with("thingId", ID)
            .with("binnedAt", "timestamp")
            .untyped();
        let rest = Entity::new("BinnedRest", "BIN#{row.PK}", "BIN#{row.SK}")
            .with_line("open = true")
            .with_line("writes = []")
            .untyped();
        self.add_entity(binned);
        self.add_entity(rest);
    }

    fn surround_derived(&mut self) {
        let source = Entity::new("Source", "SOURCE#{thingId}", "SOURCE")
            .with("shelfId", ID)
            .with("thingId", ID)
            .with("title", "text(1..40)?");
        self.origin = Some(source);
        self.add_section("[derive.things]\nof = \"Source\"\nentity = \"Thing\"");
    }

    fn surround_leaf(&mut self) {
        let file = Entity::new("File", "FILE#{fileId}", "FILE")
            .with("fileId", ID)
            .with("shelfId", ID)
            .with("thingId", ID)
            .with("title", "text(1..40)?")
            .with("path", "text(1..100)?");
        self.origin = Some(file);
        self.add_entity(folder("Folder", "TREE"));
        self.add_section("[path.files]\nof = \"File.path\"\nfolder = \"Folder\"\nleaf = \"Thing\"");
    }

    fn surround_snapshot(&mut self) {
        let of_repository = |name, partition, sort| {
            Entity::new(name, partition, sort)
                .with_line("writes = []")
                .with("repoId", "date, key_only")
        };
        let head = of_repository("Head", "REPO#{repoId}", "HEAD")
            .with("headRevId", "-> Revision, on_delete = keep");
        let log = of_repository("Revision", "REPO#{repoId}", "REV#{revTs}#{revId}")
            .with("revId", "ulid, generated")
            .with("revTs", "timestamp, created")
            .with("parentRevId", "-> Revision?, on_delete = keep")
            .with("reason", "text(1..40)");
        let intent = of_repository("Intent", "PENDING#{repoId}", "PENDING#{revId}")
            .with("revId", "ulid")
            .with("partition", "text")
            .with("startedAt", "timestamp, created")
            .with("sweptAt", "timestamp?, deleting, internal");
        self.add_entity(head);
        self.add_entity(log);
        self.add_entity(intent);
    }

    /// Declares an attribute of things: its type, and the clauses that only things have. What things follow from has
    /// the type alone.
    pub(crate) fn give(&mut self, name: &str, kind: &str, clauses: &str) {
        self.give_declared(name, kind, &format!("{kind}{clauses}"));
    }

    /// Declares an attribute of things in full, and in plain form where they follow from something.
    pub(crate) fn give_declared(&mut self, name: &str, plain: &str, declared: &str) {
        let mut declared = declared.to_owned();
        // A leaf takes over what has a default.
        if self.role == Role::Leaf && !declared.contains("default") {
            let _ = write!(declared, ", default = {}", default_of(plain));
        }
        self.thing.add(name, &declared);
        if let Some(origin) = &mut self.origin {
            origin.add(name, plain);
        }
    }

    /// An entity that is declared already.
    pub(crate) fn entity(&mut self, name: &str) -> Option<&mut Entity> {
        if name == "Thing" {
            return Some(&mut self.thing);
        }
        self.others.iter_mut().find(|entity| entity.name == name)
    }

    pub(crate) fn add_entity(&mut self, entity: Entity) {
        self.others.push(entity);
    }

    /// Declares an entity whose rows are in the snapshots of things.
    pub(crate) fn add_versioned(&mut self, entity: Entity) {
        self.versioned.push(entity.name);
        self.others.push(entity);
    }

    pub(crate) fn add_section(&mut self, text: &str) {
        self.sections.push(text.to_owned());
    }

    /// Puts things into an index of this name.
    pub(crate) fn add_index(&mut self, name: &'static str, partition: &str, sort: &str) {
        let key = format!("[\"{name}PK\", \"{name}SK\"]");
        self.indexes.push((name, key));
        self.thing
            .add_line(&format!("{name} = [\"{partition}\", \"{sort}\"]"));
    }

    /// Puts things into an index of several attributes: names of attributes, and what things have there.
    pub(crate) fn add_wide_index(&mut self, name: &'static str, key: &str, templates: &str) {
        self.indexes.push((name, key.to_owned()));
        self.thing.add_line(&format!("{name} = {templates}"));
    }

    /// The text of the model; `layout` is what it writes, if not what the entities declare.
    pub(crate) fn text(&self, layout: Option<&str>) -> String {
        let mut text = String::from("monotable = 1\nmodel = \"cross\"\n");
        if let Some(layout) = layout {
            let _ = writeln!(text, "layout = \"{layout}\"");
        }
        text.push_str("\n[table.Main]\nkey = [\"PK\", \"SK\"]\n");
        for (name, key) in &self.indexes {
            let _ = writeln!(text, "{name} = {key}");
        }
        if self.role != Role::Snapshot {
            self.shelf.write(&mut text);
        }
        self.thing.write(&mut text);
        for entity in self.origin.iter().chain(&self.others) {
            entity.write(&mut text);
        }
        for section in &self.sections {
            let _ = writeln!(text, "\n{section}");
        }
        match self.role {
            Role::Binned => self.write_bin(&mut text),
            Role::Snapshot => self.write_repository(&mut text),
            Role::Row | Role::Derived | Role::Leaf => {}
        }
        text
    }

    fn write_bin(&self, text: &mut String) {
        text.push_str("\n[move.bin]\nof = \"Thing\"\nto = \"Binned\"\nrest = \"BinnedRest\"\n");
        text.push_str("undo = \"restore\"\npurge = \"purge\"\nset = { binnedAt = \"{now}\" }\n");
        if !self.removed.is_empty() {
            let _ = writeln!(text, "removes = {:?}", self.removed);
        }
    }

    fn write_repository(&self, text: &mut String) {
        let mut entities = vec!["Thing"];
        entities.extend(&self.versioned);
        text.push_str(
            "\n[repository.things]\nhead = \"Head\"\nlog = \"Revision\"\nintent = \"Intent\"\n",
        );
        let _ = writeln!(text, "entities = {entities:?}");
    }
}

/// The thing as the role has it.
fn thing(role: Role) -> Entity {
    let row = || {
        Entity::new("Thing", "SHELF#{shelfId}", "THING#{thingId}")
            .with_line("id = \"thingId\"")
            .with("shelfId", "-> Shelf, on_delete = cascade")
            .with("thingId", ID)
            .with("title", "text(1..40)?")
    };
    match role {
        Role::Row | Role::Binned => row(),
        Role::Derived => row().with_line("writes = []"),
        Role::Leaf => Entity::new("Thing", "TREE#{parentId|}", "F#{name:lower}")
            .with_line("id = \"thingId\"")
            .with_line("writes = []")
            .with("parentId", "uuid?, movable")
            .with("name", "text(1..40), without = /, movable")
            .with("fileId", "-> File, on_delete = keep")
            .with("shelfId", "-> Shelf, on_delete = keep, default = 's1'")
            .with("thingId", &format!("{ID}, default = 'none'"))
            .with("title", "text(1..40)?, default = 'none'"),
        Role::Snapshot => Entity::new("Thing", "REPO#{repoId}#{revId}", "THING#{thingId}")
            .with_line("id = \"thingId\"")
            .with("repoId", "date, key_only")
            .with("revId", "ulid, key_only")
            .with("thingId", ID)
            .with("title", "text(1..40)?"),
    }
}

/// A value that an attribute of a leaf has when its file says nothing.
fn default_of(plain: &str) -> &'static str {
    match plain {
        list if list.starts_with('[') => "[]",
        number if number.starts_with("integer") => "0",
        flag if flag.starts_with("boolean") => "false",
        _ => "'none'",
    }
}

/// A folder of a path whose keys begin with `tree`.
pub(crate) fn folder(name: &'static str, tree: &str) -> Entity {
    Entity::new(name, &format!("{tree}#{{parentId|}}"), "D#{name:lower}")
        .with_line("id = \"folderId\"")
        .with_line("on_exists = \"keep\"")
        .with("parentId", "uuid?, movable")
        .with("name", "text(1..40), without = /, movable")
        .with("folderId", "uuid, generated, immutable")
}
