//! INSERT, UPDATE and DELETE.

use super::cursor::Cursor;
use super::malformed;
use crate::partiql::error::StatementError;
use crate::partiql::statement::Returning;
use crate::partiql::syntax::{
    ChangeSyntax, DeleteSyntax, Expression, InsertSyntax, InsertedSyntax, ReturningSyntax, Source,
    UpdateSyntax,
};
use crate::partiql::token::{Operator, Precedence, TokenKind};
use crate::tree::Comparator;

impl Cursor<'_> {
    pub(super) fn insert(&mut self) -> Result<InsertSyntax, StatementError> {
        self.advance();
        self.advance();
        let target = self.simple_path()?;
        let values = if self.take_keyword("value") {
            let item = self.expression(Precedence::Lowest)?;
            if self.take_keyword("at") {
                self.expression(Precedence::Lowest)?;
                InsertedSyntax::ItemAt
            } else {
                InsertedSyntax::Item(item)
            }
        } else {
            self.expression(Precedence::Lowest)?;
            InsertedSyntax::Several
        };
        let has_returning = self.returning()?.is_some();
        Ok(InsertSyntax {
            target,
            values,
            has_returning,
        })
    }

    /// `UPDATE table SET ... WHERE ...`
    pub(super) fn update(&mut self) -> Result<UpdateSyntax, StatementError> {
        self.advance();
        let source = self.written_source()?;
        let changes = self.changes()?;
        let condition = self.condition()?;
        let returning = self.returning()?;
        Ok(UpdateSyntax {
            source,
            changes,
            condition,
            returning,
        })
    }

    /// `FROM table WHERE ... SET ...`
    pub(super) fn update_after_from(&mut self) -> Result<UpdateSyntax, StatementError> {
        self.advance();
        let source = self.source()?;
        let condition = self.condition()?;
        let changes = self.changes()?;
        let returning = self.returning()?;
        Ok(UpdateSyntax {
            source,
            changes,
            condition,
            returning,
        })
    }

    pub(super) fn delete(&mut self) -> Result<DeleteSyntax, StatementError> {
        self.advance();
        if !self.take_keyword("from") {
            return Err(malformed("Expected FROM after DELETE"));
        }
        let source = self.written_source()?;
        let condition = self.condition()?;
        let returning = self.returning()?;
        Ok(DeleteSyntax {
            source,
            condition,
            returning,
        })
    }

    fn written_source(&mut self) -> Result<Source, StatementError> {
        let path = self.simple_path()?;
        let has_alias = self.alias()?;
        Ok(Source { path, has_alias })
    }

    fn condition(&mut self) -> Result<Option<Expression>, StatementError> {
        if self.take_keyword("where") {
            self.expression(Precedence::Lowest).map(Some)
        } else {
            Ok(None)
        }
    }

    /// `SET a = 1, b = 2 SET c = 3 REMOVE d`
    fn changes(&mut self) -> Result<Vec<ChangeSyntax>, StatementError> {
        let mut changes = Vec::new();
        loop {
            if self.take_keyword("set") {
                self.assignments(&mut changes)?;
            } else if self.take_keyword("remove") {
                changes.push(ChangeSyntax::Remove(self.simple_path()?));
            } else if changes.is_empty() {
                return Err(malformed("Expected data manipulation"));
            } else {
                return Ok(changes);
            }
        }
    }

    fn assignments(&mut self, changes: &mut Vec<ChangeSyntax>) -> Result<(), StatementError> {
        let equals = TokenKind::Operator(Operator::Compare(Comparator::Equal));
        loop {
            let path = self.simple_path()?;
            self.expect(&equals, "Expected '='")?;
            let value = self.expression(Precedence::Lowest)?;
            changes.push(ChangeSyntax::Set(path, value));
            if !self.take_if(&TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    fn returning(&mut self) -> Result<Option<ReturningSyntax>, StatementError> {
        if !self.take_keyword("returning") {
            return Ok(None);
        }
        let mut first = None;
        loop {
            let element = self.returning_element()?;
            match &mut first {
                None => first = Some(element),
                Some(first) => first.has_more = true,
            }
            if !self.take_if(&TokenKind::Comma) {
                return Ok(first);
            }
        }
    }

    fn returning_element(&mut self) -> Result<ReturningSyntax, StatementError> {
        let returned = match (self.kind(), self.kind_after(1)) {
            (TokenKind::Keyword("all"), TokenKind::Keyword("old")) => Returning::AllOld,
            (TokenKind::Keyword("all"), TokenKind::Keyword("new")) => Returning::AllNew,
            (TokenKind::Keyword("modified"), TokenKind::Keyword("old")) => Returning::ModifiedOld,
            (TokenKind::Keyword("modified"), TokenKind::Keyword("new")) => Returning::ModifiedNew,
            _ => {
                return Err(malformed(
                    "Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.",
                ));
            }
        };
        self.advance();
        self.advance();
        let is_star = self.take_if(&TokenKind::Star);
        if !is_star {
            self.expression(Precedence::Lowest)?;
        }
        Ok(ReturningSyntax {
            returned,
            is_star,
            has_more: false,
        })
    }
}
