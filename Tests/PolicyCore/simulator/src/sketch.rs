//! Count-min sketch with 4-bit counters, depth 4, 64-byte blocks and halving, as in Caffeine 3.x.

pub struct Sketch {
    table: Vec<u64>,
    block_mask: u32,
    period: u64,
    size: u64,
    /// How many entries it is made for.
    pub entries: usize,
}

impl Sketch {
    /// For some entries, at least 256; for zero, the smallest.
    pub fn new(entries: usize) -> Sketch {
        let sized = if entries == 0 { 8 } else { entries.max(256) };
        let len = sized.next_power_of_two();
        Sketch {
            table: vec![0; len],
            block_mask: ((len >> 3) - 1) as u32,
            period: 20 * sized as u64,
            size: 0,
            entries,
        }
    }

    /// Resizes it for more entries; a block of the larger table starts as the one that served its
    /// hashes before.
    pub fn grow(&mut self, entries: usize) {
        let mut larger = Sketch::new(entries);
        for i in 0..larger.table.len() {
            larger.table[i] = self.table[i % self.table.len()];
        }
        larger.size = self.size;
        *self = larger;
    }

    fn slots(&self, hash: u64) -> [(usize, u32); 4] {
        let block = ((hash as u32) & self.block_mask) << 3;
        let counter = (hash >> 32) as u32;
        let mut out = [(0, 0); 4];
        for (i, slot) in out.iter_mut().enumerate() {
            let h = counter >> (i << 3);
            *slot = ((block + (h & 1) + ((i as u32) << 1)) as usize, ((h >> 1) & 15) << 2);
        }
        out
    }

    pub fn frequency(&self, hash: u64) -> u64 {
        self.slots(hash).iter().map(|&(s, o)| (self.table[s] >> o) & 15).min().unwrap()
    }

    pub fn increment(&mut self, hash: u64) {
        let mut added = false;
        for (s, o) in self.slots(hash) {
            if (self.table[s] >> o) & 15 != 15 {
                self.table[s] += 1 << o;
                added = true;
            }
        }
        if added {
            self.size += 1;
            if self.size >= self.period {
                self.age();
            }
        }
    }

    fn age(&mut self) {
        let mut odd = 0u64;
        for w in &mut self.table {
            odd += (*w & 0x1111_1111_1111_1111).count_ones() as u64;
            *w = (*w >> 1) & 0x7777_7777_7777_7777;
        }
        self.size = self.size.saturating_sub(odd >> 2) >> 1;
    }
}
