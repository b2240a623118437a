//! The rules of a policy in an image. A rule is decoded when a call may concern it.

use crate::image::{self, ByteSource, DamagedImage, Image, Slots};
use crate::schema::Event;
use crate::wire::DamageFlag;

use super::index::{Candidates, Index, IndexedCall, build};
use super::{Rule, RuleSet, Rules};

/// The rules in an image, with those that have been decoded so far.
#[derive(Debug)]
pub struct StoredRules<B> {
    image: Image<B>,
    /// The rules that have been decoded, by their positions.
    rules: Slots<Box<Rule>>,
    /// The flag for damage in a part of a rule that was decoded later.
    damage: DamageFlag,
}

impl<B: ByteSource> StoredRules<B> {
    /// Opens an image without decoding a rule.
    ///
    /// # Errors
    /// The bytes are not an image.
    pub fn open(bytes: B) -> Result<Self, DamagedImage> {
        let image = Image::open(bytes)?;
        let rules = Slots::new(usize::try_from(image.rules()).map_err(|_| DamagedImage)?);
        Ok(Self { image, rules, damage: DamageFlag::default() })
    }

    /// Returns the image that contains the rules.
    pub fn image(&self) -> &Image<B> {
        &self.image
    }
}

impl<B: ByteSource> Rules for StoredRules<B> {
    type Error = DamagedImage;

    fn candidates(&self, event: Event, call: &dyn IndexedCall) -> Result<Candidates, DamagedImage> {
        match self.image.index(event as usize)? {
            Some(section) => Index::open(self.image.bytes(), section)?.candidates(self.image.bytes(), call),
            None => Ok(Candidates::default()),
        }
    }

    fn rule(&self, id: u32) -> Result<Option<&Rule>, DamagedImage> {
        if id >= self.image.rules() {
            return Ok(None);
        }
        let number = usize::try_from(id).map_err(|_| DamagedImage)?;
        let read = || Rule::from_bytes(self.image.rule(id)?.into_owned(), &self.damage).map(Box::new);
        self.rules.get_or_insert_with(number, read).map(|rule| rule.map(AsRef::as_ref))
    }

    fn check_intact(&self) -> Result<(), DamagedImage> {
        self.damage.check()
    }
}

impl RuleSet {
    /// Encodes the rules and the index of each event as one image. The same rules give the same bytes.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        let rules: Vec<Vec<u8>> = self.rules().iter().map(|rule| rule.to_bytes()).collect();
        let index = |event: &Event| {
            if self.rules_on_event(*event).next().is_none() {
                return Vec::new();
            }
            // For a set without indexes, `index_bytes` is empty. An image without the index of an event would mean
            // that no rule names the event, so the index is built here.
            match self.index_bytes(*event) {
                [] => build(*event, self.rules()),
                built => built.to_vec(),
            }
        };
        let indexes: Vec<Vec<u8>> = Event::ALL.iter().map(index).collect();
        image::write(&rules, &indexes)
    }
}
