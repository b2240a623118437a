//! The file format of a compiled policy: blocks, each with a checksum. Beyond the beginning, only the blocks that are
//! needed are read, and all blocks that are used are verified.
//!
//! The first block says where the header and the image are, each of which begins with a new block. The checksum of a
//! block includes its position and the checksum of its whole section, so that a block from another position or file
//! is not accepted. All numbers are little-endian.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::sync::{Mutex, PoisonError};

use crate::image::{ByteSource, DamagedImage, Slots};
use crate::platform::file::read_exact_at;

/// The size of a block in bytes, including the checksum at its end. This is about the size of a rule, or of a few
/// entries of a table, so that little is read in vain.
const BLOCK_BYTES: usize = 1024;
/// The size of a block's content in bytes.
const CONTENT_BYTES: usize = BLOCK_BYTES - 8;

/// The beginning of every file; the last two digits are the version of the format.
const MAGIC: [u8; 8] = *b"rules 03";

/// The maximum size of a header in bytes. This program writes no longer one.
const MAX_HEADER: u64 = 64 << 20;
/// The maximum size of an image in bytes.
pub(super) const MAX_IMAGE: u64 = 256 << 20;

/// How much of a file is read at once, in bytes: almost every call needs the first block, the header, and the first
/// blocks of the image. In unit tests it is less than their files have, so that both ways of reading are tested.
const START_BYTES: usize = if cfg!(test) { 2 } else { 12 } * BLOCK_BYTES;

/// A file of blocks, of which the beginning has been read.
#[derive(Debug)]
pub(super) struct BlockFile {
    file: File,
    /// The length of the file in bytes.
    len: u64,
    /// The beginning of the file.
    start: Vec<u8>,
}

impl BlockFile {
    /// Reads the beginning of a file.
    pub(super) fn new(mut file: File) -> Result<Self, DamagedImage> {
        let mut read = || {
            let len = file.metadata()?.len();
            // Filled without being cleared first, which would take longer than the rest.
            let mut start = Vec::with_capacity(usize::try_from(len).map_or(START_BYTES, |len| len.min(START_BYTES)));
            file.rewind()?;
            (&file).take(START_BYTES as u64).read_to_end(&mut start)?;
            Ok::<_, io::Error>((len, start))
        };
        let (len, start) = read().map_err(|_| DamagedImage)?;
        Ok(Self { file, len, start })
    }

    /// Fills `bytes` with what the file has from an offset on.
    fn read_exact_at(&self, bytes: &mut [u8], at: u64) -> Result<(), DamagedImage> {
        let kept = usize::try_from(at).ok().and_then(|at| self.start.get(at..at.checked_add(bytes.len())?));
        match kept {
            Some(kept) => bytes.copy_from_slice(kept),
            None => read_exact_at(&self.file, bytes, at).map_err(|_| DamagedImage)?,
        }
        Ok(())
    }
}

/// A section of the file: adjacent blocks that together have one content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileSection {
    /// The number of its first block in the file.
    first: u64,
    /// The length of its content in bytes.
    len: u64,
    /// The checksum of the whole content, which the checksum of each block includes.
    seed: u64,
}

/// Returns a checksum. Two texts of equal length that differ in only one word of eight bytes always have different
/// checksums. Any other two may have the same, by chance or by intent: this is not a signature.
pub(super) fn digest(seed: u64, bytes: &[u8]) -> u64 {
    let take = |state, pairs: &[[u8; 16]]| pairs.iter().fold(state, mix_words);
    // Four pairs at a time: every hook checks many blocks, and the loop overhead would double the time.
    let (runs, short) = bytes.as_chunks::<64>();
    let mut state = runs.iter().fold(mix_word(0, seed), |state, run| take(state, run.as_chunks().0));
    let (pairs, rest) = short.as_chunks();
    state = take(state, pairs);
    let mut last = [0; 16];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    state = mix_words(state, &last);
    state = mix_word(state, bytes.len() as u64);
    state ^ (state >> 32)
}

/// Adds two words to a checksum. The result is a bijection of each argument while the other two are constant.
fn mix_words(state: u64, words: &[u8; 16]) -> u64 {
    // The pattern always matches.
    let [first, second] = words.as_chunks().0 else { return state };
    let first = state ^ u64::from_le_bytes(*first);
    first.rotate_left(23).wrapping_add(u64::from_le_bytes(*second)).wrapping_mul(MULTIPLIER)
}

/// Adds a word to a checksum. The result is a bijection of each argument while the other one is constant.
const fn mix_word(state: u64, word: u64) -> u64 {
    (state.rotate_left(23) ^ word).wrapping_mul(MULTIPLIER)
}

/// The multiplier of the checksum: 2^64 divided by the golden ratio, an odd number.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the number of blocks for a content of this length.
const fn block_count(len: u64) -> u64 {
    len.div_ceil(CONTENT_BYTES as u64)
}

/// Writes a cache file with a header and an image, as blocks, each with its checksum. Block 0 says where both are.
pub(super) fn write(out: &mut impl Write, header: &[u8], image: &[u8]) -> io::Result<()> {
    let length = |bytes: &[u8]| bytes.len() as u64;
    let header_section = FileSection { first: 1, len: length(header), seed: digest(0, header) };
    let image_section =
        FileSection { first: 1 + block_count(length(header)), len: length(image), seed: digest(0, image) };
    let mut table = MAGIC.to_vec();
    for section in [header_section, image_section] {
        table.extend(section.len.to_le_bytes());
        table.extend(section.seed.to_le_bytes());
    }
    let table_section = FileSection { first: 0, len: length(&table), seed: 0 };
    for (section, bytes) in [(table_section, &table[..]), (header_section, header), (image_section, image)] {
        let mut block = Vec::with_capacity(BLOCK_BYTES);
        for (number, content) in (section.first..).zip(bytes.chunks(CONTENT_BYTES)) {
            block.clear();
            block.extend_from_slice(content);
            block.resize(CONTENT_BYTES, 0);
            block.extend(section.sum(number, &block).to_le_bytes());
            out.write_all(&block)?;
        }
    }
    Ok(())
}

/// Reads the first block of a cache file, and returns the sections of the header and of the image. Fails if the file
/// has another format or a wrong length.
pub(super) fn sections(file: &BlockFile) -> Result<(FileSection, FileSection), DamagedImage> {
    let mut first = FileSection { first: 0, len: CONTENT_BYTES as u64, seed: 0 }.content(
        file,
        &mut Vec::new(),
        0,
        0,
        CONTENT_BYTES,
    )?;
    if first.get(..MAGIC.len()) != Some(&MAGIC) {
        return Err(DamagedImage);
    }
    let numbers: Vec<u64> =
        first.split_off(MAGIC.len()).as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).take(4).collect();
    let [header_len, header_seed, image_len, image_seed] = numbers.as_slice() else { return Err(DamagedImage) };
    let header = FileSection { first: 1, len: *header_len, seed: *header_seed };
    let image = FileSection {
        first: 1_u64.checked_add(block_count(header.len)).ok_or(DamagedImage)?,
        len: *image_len,
        seed: *image_seed,
    };
    if header.len > MAX_HEADER || image.len > MAX_IMAGE {
        return Err(DamagedImage);
    }
    let end = image.first.checked_add(block_count(image.len)).and_then(|blocks| blocks.checked_mul(BLOCK_BYTES as u64));
    // A file that was cut off is recognised by its length.
    if end == Some(file.len) { Ok((header, image)) } else { Err(DamagedImage) }
}

impl FileSection {
    /// Returns the checksum of a block of this section. `number` is its position in the file.
    fn sum(&self, number: u64, content: &[u8]) -> u64 {
        digest(mix_word(self.seed, number), content)
    }

    /// Returns the content of a block, if its checksum is right.
    fn verified_content<'b>(&self, number: u64, block: &'b [u8]) -> Result<&'b [u8], DamagedImage> {
        let (content, sum) = block.split_at_checked(CONTENT_BYTES).ok_or(DamagedImage)?;
        if self.sum(number, content).to_le_bytes() == sum { Ok(content) } else { Err(DamagedImage) }
    }

    /// Reads `len` bytes of content, beginning `within` bytes after the start of block `number` of the section.
    ///
    /// The blocks are read into `buffer`, which is reused, because clearing a new buffer takes longer than reading.
    fn content(
        &self,
        file: &BlockFile,
        buffer: &mut Vec<u8>,
        number: u64,
        mut within: usize,
        len: usize,
    ) -> Result<Vec<u8>, DamagedImage> {
        let first = self.first.checked_add(number).ok_or(DamagedImage)?;
        let count = within.checked_add(len).ok_or(DamagedImage)?.div_ceil(CONTENT_BYTES);
        let size = count.checked_mul(BLOCK_BYTES).ok_or(DamagedImage)?;
        // The buffer grows block by block. For the usual few thousand bytes, that is faster than clearing it at once.
        while buffer.len() < size {
            buffer.extend_from_slice(&[0; BLOCK_BYTES]);
        }
        let bytes = buffer.get_mut(..size).ok_or(DamagedImage)?;
        file.read_exact_at(bytes, first.checked_mul(BLOCK_BYTES as u64).ok_or(DamagedImage)?)?;
        let mut content = Vec::with_capacity(len);
        for (number, block) in (first..).zip(bytes.as_chunks::<BLOCK_BYTES>().0) {
            let verified =
                self.verified_content(number, block)?.get(std::mem::take(&mut within)..).ok_or(DamagedImage)?;
            content.extend_from_slice(verified.get(..len - content.len()).unwrap_or(verified));
        }
        Ok(content)
    }

    /// Reads the whole content of the section.
    pub(super) fn read_whole(&self, file: &BlockFile) -> Result<Vec<u8>, DamagedImage> {
        self.content(file, &mut Vec::new(), 0, 0, usize::try_from(self.len).map_err(|_| DamagedImage)?)
    }
}

/// An image in a file, which is read block by block. A block is verified when it is first read, and then kept in
/// memory.
#[derive(Debug)]
pub struct Blocks {
    file: BlockFile,
    /// The section of the file that contains the image.
    section: FileSection,
    /// The blocks that have been read, by their number.
    cached_blocks: Slots<Vec<u8>>,
    /// The buffer for contents of several blocks.
    buffer: Mutex<Vec<u8>>,
    /// The block from which an entry of a table was last read. It is not kept with the other blocks.
    last_block: Mutex<LastBlock>,
}

/// A block whose buffer the next block overwrites.
#[derive(Debug, Default)]
struct LastBlock {
    /// The number of the block; `None` if no block has been read, or the last one was invalid.
    number: Option<usize>,
    bytes: Vec<u8>,
}

impl Blocks {
    /// Creates the reader of an image in a section of a file.
    pub(super) fn new(file: BlockFile, section: FileSection) -> Self {
        let cached_blocks = Slots::new(usize::try_from(block_count(section.len)).unwrap_or(0));
        Self { file, section, cached_blocks, buffer: Mutex::default(), last_block: Mutex::default() }
    }

    /// Reads the whole image.
    pub(super) fn read_whole(&self) -> Result<Vec<u8>, DamagedImage> {
        self.section.read_whole(&self.file)
    }

    /// Reads a block into a buffer, in place of its contents, and verifies the block.
    fn read_over(&self, number: usize, block: &mut Vec<u8>) -> Result<(), DamagedImage> {
        block.resize(BLOCK_BYTES, 0);
        let place = self.section.first.checked_add(number as u64).ok_or(DamagedImage)?;
        self.file.read_exact_at(block, place.checked_mul(BLOCK_BYTES as u64).ok_or(DamagedImage)?)?;
        self.section.verified_content(place, block).map(|_| ())
    }

    /// Reads content that may extend over several blocks, without keeping the blocks in memory.
    fn content(&self, number: usize, within: usize, len: usize) -> Result<Vec<u8>, DamagedImage> {
        let mut buffer = self.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        self.section.content(&self.file, &mut buffer, number as u64, within, len)
    }

    /// Returns the content of a block, which is read on first use.
    fn block(&self, number: usize) -> Result<&[u8], DamagedImage> {
        let read = || {
            let mut block = Vec::new();
            self.read_over(number, &mut block)?;
            block.truncate(CONTENT_BYTES);
            Ok(block)
        };
        self.cached_blocks.get_or_insert_with(number, read)?.map(Vec::as_slice).ok_or(DamagedImage)
    }

    /// Returns at most `most` bytes of the content of a block, from an offset.
    fn block_content_from(&self, number: usize, within: usize, most: usize) -> Result<&[u8], DamagedImage> {
        if most == 0 {
            return Ok(&[]);
        }
        let rest = self.block(number)?.get(within..).ok_or(DamagedImage)?;
        Ok(rest.get(..most).unwrap_or(rest))
    }
}

impl ByteSource for Blocks {
    fn entry(&self, at: u64) -> Result<[u8; 8], DamagedImage> {
        let place = usize::try_from(at).map_err(|_| DamagedImage)?;
        let (number, within) = (place / CONTENT_BYTES, place % CONTENT_BYTES);
        if within + 8 > CONTENT_BYTES || at.checked_add(8).is_none_or(|end| end > self.section.len) {
            return self.read(at, 8)?.as_ref().try_into().map_err(|_| DamagedImage);
        }
        let mut last = self.last_block.lock().unwrap_or_else(PoisonError::into_inner);
        if last.number != Some(number) {
            last.number = None;
            self.read_over(number, &mut last.bytes)?;
            last.number = Some(number);
        }
        last.bytes.get(within..).and_then(<[u8]>::first_chunk).copied().ok_or(DamagedImage)
    }

    fn read(&self, at: u64, len: usize) -> Result<Cow<'_, [u8]>, DamagedImage> {
        let end = at.checked_add(len as u64).ok_or(DamagedImage)?;
        if end > self.section.len {
            return Err(DamagedImage);
        }
        let at = usize::try_from(at).map_err(|_| DamagedImage)?;
        let (mut number, within) = (at / CONTENT_BYTES, at % CONTENT_BYTES);
        if len > CONTENT_BYTES {
            // Content of several blocks is a rule. It is read once, and kept in its decoded form.
            return self.content(number, within, len).map(Cow::Owned);
        }
        let first = self.block_content_from(number, within, len)?;
        if first.len() == len {
            return Ok(Cow::Borrowed(first));
        }
        let mut bytes = Vec::with_capacity(len);
        bytes.extend_from_slice(first);
        while bytes.len() < len {
            number += 1;
            bytes.extend_from_slice(self.block_content_from(number, 0, len - bytes.len())?);
        }
        Ok(Cow::Owned(bytes))
    }
}
