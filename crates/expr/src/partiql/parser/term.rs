//! Terms: names, values, calls, parentheses, and the paths that go on from them.

use super::cursor::Cursor;
use super::malformed;
use crate::partiql::error::StatementError;
use crate::partiql::keyword;
use crate::partiql::syntax::{Expression, Node, StatementSyntax, Step};
use crate::partiql::token::{Precedence, TokenKind};

impl Cursor<'_> {
    /// A term and the path that goes on from it.
    pub(super) fn path_term(&mut self) -> Result<Expression, StatementError> {
        let root = self.term()?;
        self.path_from(root)
    }

    /// A name and the path that goes on from it.
    pub(super) fn simple_path(&mut self) -> Result<Expression, StatementError> {
        let at = self.position();
        let name = self
            .take_name()
            .ok_or_else(|| malformed("Expected identifier for simple path"))?;
        let node = Node::Identifier(name);
        self.path_from(Expression { node, at })
    }

    fn path_from(&mut self, root: Expression) -> Result<Expression, StatementError> {
        let at = root.at;
        let mut steps = Vec::new();
        loop {
            match self.kind() {
                TokenKind::Dot => {
                    self.advance();
                    steps.push(self.dot_step()?);
                }
                TokenKind::LeftBracket => {
                    self.advance();
                    steps.push(self.bracket_step()?);
                }
                _ => break,
            }
        }
        if steps.is_empty() {
            return Ok(root);
        }
        let root = Box::new(root);
        Ok(Expression {
            node: Node::Path { root, steps },
            at,
        })
    }

    fn dot_step(&mut self) -> Result<Step, StatementError> {
        if self.take_if(&TokenKind::Star) {
            return Ok(Step::Unpivot);
        }
        let name = self.take_name();
        name.map(Step::Name)
            .ok_or_else(|| malformed("Invalid path dot component"))
    }

    fn bracket_step(&mut self) -> Result<Step, StatementError> {
        let step = if self.take_if(&TokenKind::Star) {
            Step::Wildcard
        } else {
            Step::Index(self.expression(Precedence::Lowest)?)
        };
        self.expect(&TokenKind::RightBracket, "Expected RIGHT_BRACKET")?;
        Ok(step)
    }

    fn term(&mut self) -> Result<Expression, StatementError> {
        let at = self.position();
        let node = match self.kind().clone() {
            TokenKind::Operator(_) => return Err(malformed("Unexpected operator")),
            TokenKind::Keyword(keyword) => self.keyword_term(keyword)?,
            TokenKind::LeftParenthesis => return self.group(),
            TokenKind::LeftBracket => {
                self.advance();
                let end = &TokenKind::RightBracket;
                Node::List(self.elements(end, "Expected RIGHT_BRACKET")?)
            }
            TokenKind::LeftBag => {
                self.advance();
                let end = &TokenKind::RightBag;
                Node::Bag(self.elements(end, "Expected RIGHT_DOUBLE_ANGLE_BRACKET")?)
            }
            TokenKind::LeftBrace => {
                self.advance();
                Node::Struct(self.members()?)
            }
            TokenKind::Identifier(name) if *self.kind_after(1) == TokenKind::LeftParenthesis => {
                self.call(name.to_owned())?
            }
            TokenKind::Identifier(name) => self.atom(Node::Identifier(name.to_owned())),
            TokenKind::QuotedIdentifier(name) => self.atom(Node::Identifier(name.into_owned())),
            TokenKind::Text(text) => self.atom(Node::Text(text.into_owned())),
            TokenKind::Number(text) => self.atom(Node::Number(text.to_owned())),
            TokenKind::True => self.atom(Node::Bool(true)),
            TokenKind::False => self.atom(Node::Bool(false)),
            TokenKind::Null => self.atom(Node::Null),
            TokenKind::Missing => self.atom(Node::Missing),
            TokenKind::Parameter => {
                let position = self.take_parameter();
                self.atom(Node::Parameter(position))
            }
            TokenKind::Star
            | TokenKind::Dot
            | TokenKind::Comma
            | TokenKind::Colon
            | TokenKind::Semicolon
            | TokenKind::RightParenthesis
            | TokenKind::RightBracket
            | TokenKind::RightBrace
            | TokenKind::RightBag
            | TokenKind::End => return Err(malformed("Unexpected term")),
        };
        Ok(Expression { node, at })
    }

    fn atom(&mut self, node: Node) -> Node {
        self.advance();
        node
    }

    fn keyword_term(&mut self, keyword: &'static str) -> Result<Node, StatementError> {
        let is_call = *self.kind_after(1) == TokenKind::LeftParenthesis;
        let statement = match keyword {
            "select" => StatementSyntax::Select(self.select()?),
            "pivot" => return Err(malformed("Expected AT keyword")),
            "insert" if *self.kind_after(1) == TokenKind::Keyword("into") => {
                StatementSyntax::Insert(self.insert()?)
            }
            "update" => StatementSyntax::Update(self.update()?),
            "delete" => StatementSyntax::Delete(self.delete()?),
            "from" => StatementSyntax::Update(self.update_after_from()?),
            _ if is_call && keyword::is_function(keyword) => {
                return self.call(keyword.to_owned());
            }
            _ => return Err(malformed("Unexpected keyword")),
        };
        Ok(Node::Statement(Box::new(statement)))
    }

    fn call(&mut self, name: String) -> Result<Node, StatementError> {
        self.advance();
        self.advance();
        let counts_all = name.eq_ignore_ascii_case("count") && self.take_if(&TokenKind::Star);
        let arguments = if counts_all {
            self.expect(&TokenKind::RightParenthesis, "Expected RIGHT_PAREN")?;
            Vec::new()
        } else {
            self.elements(&TokenKind::RightParenthesis, "Expected RIGHT_PAREN")?
        };
        Ok(Node::Call { name, arguments })
    }

    /// Parentheses around one expression mean nothing; around several they are a list.
    fn group(&mut self) -> Result<Expression, StatementError> {
        let at = self.position();
        self.advance();
        if self.take_if(&TokenKind::RightParenthesis) {
            return Err(malformed("Expression group cannot be empty"));
        }
        let mut elements = self.arguments(&TokenKind::RightParenthesis, "Expected RIGHT_PAREN")?;
        match (elements.pop(), elements.is_empty()) {
            (Some(only), true) => Ok(only),
            (last, _) => {
                elements.extend(last);
                let node = Node::List(elements);
                Ok(Expression { node, at })
            }
        }
    }

    /// Expressions up to `end`, maybe none.
    fn elements(
        &mut self,
        end: &TokenKind<'static>,
        otherwise: &'static str,
    ) -> Result<Vec<Expression>, StatementError> {
        if self.take_if(end) {
            return Ok(Vec::new());
        }
        self.arguments(end, otherwise)
    }

    /// One expression or more, up to `end`.
    pub(super) fn arguments(
        &mut self,
        end: &TokenKind<'static>,
        otherwise: &'static str,
    ) -> Result<Vec<Expression>, StatementError> {
        let mut arguments = vec![self.expression(Precedence::Lowest)?];
        while self.take_if(&TokenKind::Comma) {
            arguments.push(self.expression(Precedence::Lowest)?);
        }
        self.expect(end, otherwise)?;
        Ok(arguments)
    }

    fn members(&mut self) -> Result<Vec<(Expression, Expression)>, StatementError> {
        let mut members = Vec::new();
        if self.take_if(&TokenKind::RightBrace) {
            return Ok(members);
        }
        loop {
            let name = self.expression(Precedence::Lowest)?;
            self.expect(&TokenKind::Colon, "Expected COLON")?;
            members.push((name, self.expression(Precedence::Lowest)?));
            if !self.take_if(&TokenKind::Comma) {
                break;
            }
        }
        self.expect(&TokenKind::RightBrace, "Expected RIGHT_CURLY")?;
        Ok(members)
    }
}
