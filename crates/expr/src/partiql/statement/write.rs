//! Statements that write.

use super::Target;
use crate::partiql::error::{StatementError, StatementProblem};
use crate::partiql::lower;
use crate::partiql::syntax::{
    DeleteSyntax, InsertSyntax, InsertedSyntax, ReturningSyntax, Source, UpdateSyntax,
};
use crate::tree::Predicate;
use crate::update::Update;
use monotable_item::{EncodedItem, EncodedValue};

/// What a write returns of its item: `RETURNING ALL OLD *` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returning {
    /// All of it, as it was.
    AllOld,
    /// All of it, as it is now.
    AllNew,
    /// What was changed, as it was.
    ModifiedOld,
    /// What was changed, as it is now.
    ModifiedNew,
}

impl Returning {
    const fn words(self) -> &'static str {
        match self {
            Self::AllOld => "ALL OLD",
            Self::AllNew => "ALL NEW",
            Self::ModifiedOld => "MODIFIED OLD",
            Self::ModifiedNew => "MODIFIED NEW",
        }
    }

    fn check(syntax: Option<ReturningSyntax>) -> Result<Option<Self>, StatementError> {
        match syntax {
            Some(syntax) if syntax.has_more => Err(StatementProblem::ReturningSeveral.into()),
            Some(syntax) if !syntax.is_star => Err(StatementProblem::ReturningElement.into()),
            Some(syntax) => Ok(Some(syntax.returned)),
            None => Ok(None),
        }
    }
}

/// An INSERT.
#[derive(Clone, Debug)]
pub struct InsertStatement {
    target: Target,
    syntax: InsertSyntax,
}

impl InsertStatement {
    pub(super) fn new(syntax: InsertSyntax) -> Result<Self, StatementError> {
        let target = Target::from_path(&syntax.target)?;
        if target.index.is_some() {
            return Err(StatementProblem::InsertIntoIndex.into());
        }
        if syntax.has_returning {
            return Err(StatementProblem::ReturningOfInsert.into());
        }
        Ok(Self { target, syntax })
    }

    pub(super) const fn target(&self) -> &Target {
        &self.target
    }

    /// The item to put.
    pub fn item(&self, parameters: &[EncodedValue]) -> Result<EncodedItem, StatementError> {
        match &self.syntax.values {
            InsertedSyntax::Item(item) => lower::item(item, parameters),
            InsertedSyntax::ItemAt => Err(StatementProblem::InsertAt.into()),
            InsertedSyntax::Several => Err(StatementProblem::InsertSeveral.into()),
        }
    }
}

/// An UPDATE.
#[derive(Clone, Debug)]
pub struct UpdateStatement {
    target: Target,
    syntax: UpdateSyntax,
    returning: Option<Returning>,
}

impl UpdateStatement {
    pub(super) fn new(syntax: UpdateSyntax) -> Result<Self, StatementError> {
        Ok(Self {
            target: table_only(&syntax.source)?,
            returning: Returning::check(syntax.returning)?,
            syntax,
        })
    }

    pub(super) const fn target(&self) -> &Target {
        &self.target
    }

    /// What to change.
    pub fn update(&self, parameters: &[EncodedValue]) -> Result<Update, StatementError> {
        lower::update(&self.syntax.changes, parameters)
    }

    /// What must hold of an item.
    pub fn condition(
        &self,
        parameters: &[EncodedValue],
    ) -> Result<Option<Predicate>, StatementError> {
        lower::condition(self.syntax.condition.as_ref(), parameters)
    }

    /// What to return.
    pub const fn returning(&self) -> Option<Returning> {
        self.returning
    }
}

/// A DELETE.
#[derive(Clone, Debug)]
pub struct DeleteStatement {
    target: Target,
    syntax: DeleteSyntax,
    returning: Option<Returning>,
}

impl DeleteStatement {
    pub(super) fn new(syntax: DeleteSyntax) -> Result<Self, StatementError> {
        let target = table_only(&syntax.source)?;
        let returning = Returning::check(syntax.returning)?;
        match returning {
            None | Some(Returning::AllOld) => {}
            Some(other) => return Err(StatementProblem::ReturningOfDelete(other.words()).into()),
        }
        Ok(Self {
            target,
            syntax,
            returning,
        })
    }

    pub(super) const fn target(&self) -> &Target {
        &self.target
    }

    /// What must hold of an item.
    pub fn condition(
        &self,
        parameters: &[EncodedValue],
    ) -> Result<Option<Predicate>, StatementError> {
        lower::condition(self.syntax.condition.as_ref(), parameters)
    }

    /// What to return: the item as it was, or nothing.
    pub const fn returning(&self) -> Option<Returning> {
        self.returning
    }
}

fn table_only(source: &Source) -> Result<Target, StatementError> {
    let target = Target::from_source(source)?;
    match target.index {
        Some(_) => Err(StatementProblem::WriteToIndex.into()),
        None => Ok(target),
    }
}
