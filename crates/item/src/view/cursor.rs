//! Walks over stored bytes. Every step is checked: damaged bytes end the walk.

use super::{ItemView, ListView, NumberView, SetView, ValueView};
use crate::encoded::{tag, varint};

#[derive(Clone, Copy)]
pub(super) struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    /// A length and that many bytes.
    pub(super) fn sized(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = varint::read(self.0)?;
        self.0 = rest;
        self.take(length)
    }

    /// The same, as text.
    pub(super) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.sized()?).ok()
    }

    pub(super) fn body(&mut self) -> Option<&'a [u8]> {
        let (size, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        self.take(u32::from_le_bytes(*size) as usize)
    }

    pub(super) fn tag(&mut self) -> Option<u8> {
        let (&tag, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(tag)
    }

    pub(super) fn value(&mut self) -> Option<ValueView<'a>> {
        Some(match self.tag()? {
            tag::NULL => ValueView::Null,
            tag::FALSE => ValueView::Bool(false),
            tag::TRUE => ValueView::Bool(true),
            tag::S => ValueView::S(self.text()?),
            tag::N => ValueView::N(NumberView::new(self.text()?)),
            tag::B => ValueView::B(self.sized()?),
            tag::M => ValueView::M(ItemView(self.body()?)),
            tag::L => ValueView::L(ListView(self.body()?)),
            tag::SS => ValueView::Ss(SetView(self.body()?)),
            tag::NS => ValueView::Ns(SetView(self.body()?)),
            tag::BS => ValueView::Bs(SetView(self.body()?)),
            _ => return None,
        })
    }

    /// Passes over a value without looking into it.
    pub(super) fn skip_value(&mut self) -> Option<()> {
        match self.tag()? {
            tag::NULL | tag::FALSE | tag::TRUE => Some(()),
            tag::S | tag::N | tag::B => self.sized().map(drop),
            tag::M | tag::L | tag::SS | tag::NS | tag::BS => self.body().map(drop),
            _ => None,
        }
    }
}
