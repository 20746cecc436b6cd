//! Lazy-TinyLFU with costs: a window and a main queue whose hits only bump a counter of the entry,
//! admission by frequency, a window tuned by two short queues of ghosts. All bookkeeping happens on
//! a miss. With unit costs, and a sketch that is made for the limit at once, it is the reference.

use crate::list::{Links, NIL};
use crate::sketch::Sketch;
use crate::{Job, Policy};

const WINDOW: usize = 0;
const MAIN: usize = 1;
const GW: usize = 2; // ghosts of entries rejected on leaving the window
const GM: usize = 3; // ghosts of entries evicted from main
const NONE: u8 = 255;

pub struct Lazy {
    list: Links,
    at: Vec<u8>,
    hits: Vec<u8>,
    life: Vec<u8>,
    hashes: Vec<u64>,
    costs: Vec<u64>,
    /// The cost of each list.
    cost: [u64; 4],
    sketch: Sketch,
    ghosts: usize,
    limit: u64,
    target: f64,
    random: u64,
}

impl Lazy {
    pub fn new(job: &Job) -> Self {
        let ids = job.trace.unique();
        let entries = if job.is_unit { job.limit as usize } else { 0 };
        Lazy {
            list: Links::new(ids, 4), at: vec![NONE; ids], hits: vec![0; ids], life: vec![0; ids],
            hashes: job.trace.hashes.clone(), costs: job.costs.to_vec(), cost: [0; 4],
            sketch: Sketch::new(entries), ghosts: 0, limit: job.limit,
            target: (0.01 * job.limit as f64).max(1.0), random: 0x1234_5678_9abc_def1,
        }
    }

    fn push(&mut self, list: usize, id: u32) {
        self.at[id as usize] = list as u8;
        self.cost[list] += self.costs[id as usize];
        self.list.push_front(list, id);
    }

    fn remove(&mut self, id: u32) {
        let list = self.at[id as usize] as usize;
        self.at[id as usize] = NONE;
        self.cost[list] -= self.costs[id as usize];
        self.list.remove(list, id);
    }

    fn resident(&self) -> usize { self.list.len(WINDOW) + self.list.len(MAIN) }

    fn frequency(&self, id: u32) -> u64 { self.sketch.frequency(self.hashes[id as usize]) }

    /// Moves the entry's pending hits into the sketch and returns their number.
    fn drain(&mut self, id: u32) -> u8 {
        let k = id as usize;
        let cap = if self.at[k] as usize == WINDOW { 1 } else { 3 };
        let n = self.hits[k].min(cap);
        self.hits[k] = 0;
        for _ in 0..n { self.sketch.increment(self.hashes[k]); }
        n
    }

    /// Remembers an evicted key in a queue of ghosts.
    fn ghost(&mut self, list: usize, id: u32) {
        self.ghosts = self.ghosts.max(self.sketch.entries / 5);
        let (most, cost) = (self.limit / 10, self.costs[id as usize]);
        if self.ghosts == 0 || cost > most { return; }
        if self.list.len(list) >= self.ghosts {
            let oldest = self.list.back(list);
            self.remove(oldest);
        }
        while self.cost[list] + cost > most {
            let oldest = self.list.back(list);
            self.remove(oldest);
        }
        self.push(list, id);
    }

    /// Enlarges the sketch for as many entries as there will be, by their mean cost.
    fn grow_sketch(&mut self, cost: u64) {
        let count = self.resident();
        if self.sketch.entries > count { return; }
        let mean = (self.cost[WINDOW] as f64 + self.cost[MAIN] as f64 + cost as f64) / (count + 1) as f64;
        let expected = ((self.limit as f64 / mean) as usize).max(1);
        let known = count.max(64);
        let entries = if expected <= 8 * known { expected } else { 4 * known };
        if entries >= 2 * self.sketch.entries { self.sketch.grow(entries); }
    }

    fn miss(&mut self, id: u32) {
        let cost = self.costs[id as usize];
        self.grow_sketch(cost);
        let limit = self.limit as f64;
        let step = (cost as f64).min((0.01 * limit).max(1.0));
        match self.at[id as usize] as usize {
            GW => { self.remove(id); self.target += step }
            GM => { self.remove(id); self.target -= step }
            _ => {}
        }
        self.target = self.target.max((0.01 * limit).max(1.0)).min((0.8 * limit).max(1.0));
        self.sketch.increment(self.hashes[id as usize]);
    }

    /// Advances main's clock hand to an entry without life left, which stays at the back.
    fn main_victim(&mut self) -> u32 {
        let mut budget = 16;
        loop {
            let v = self.list.back(MAIN);
            let n = self.drain(v);
            let life = (self.life[v as usize] + n).min(3);
            self.life[v as usize] = life;
            if life == 0 || budget == 0 { return v; }
            self.life[v as usize] = life - 1;
            budget -= 1;
            self.list.move_to_front(MAIN, v);
        }
    }

    fn lucky(&mut self) -> bool {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random & 127 == 0
    }

    fn move_to_main(&mut self, id: u32) {
        self.life[id as usize] = 0;
        self.push(MAIN, id);
    }

    fn evict_from_main(&mut self, v: u32) {
        self.remove(v);
        self.ghost(GM, v);
    }

    fn evict_one(&mut self, incoming: u64) {
        let newcomer = incoming.max(1);
        // The newcomer is in the window next, so main's share leaves room for it.
        let window = (self.target as u64).max(newcomer).min(self.limit.max(1));
        let mut passes = self.list.len(WINDOW).min(16);
        loop {
            if self.list.len(MAIN) > 0
                && (self.cost[WINDOW] + newcomer <= window
                    || self.cost[MAIN] + window > self.limit
                    || self.list.len(WINDOW) == 0)
            {
                let v = self.main_victim();
                self.evict_from_main(v);
                return;
            }
            let c = self.list.back(WINDOW);
            let n = self.drain(c);
            self.remove(c);
            let cost = self.costs[c as usize];
            if self.cost[MAIN] + window + cost <= self.limit {
                self.move_to_main(c);
                continue;
            }
            if n >= 1 && passes > 0 {
                passes -= 1;
                self.push(WINDOW, c);
                continue;
            }
            if self.list.len(MAIN) == 0 { self.ghost(GW, c); return; }
            self.contest(c, window);
            return;
        }
    }

    /// A candidate is worth its room when it is asked for more often than all together that would
    /// have to leave for it (Einziger, Eytan, Friedman, Manes: "Lightweight Robust Size Aware Cache
    /// Management", 2022). Each of them counts at least once, which bounds the walk by the highest
    /// frequency.
    fn contest(&mut self, c: u32, window: u64) {
        let v = self.main_victim();
        let frequency = self.frequency(c);
        let room = self.limit - window - self.cost[MAIN];
        let need = self.costs[c as usize] - room;
        let (mut sum, mut freed, mut next) = (self.frequency(v), self.costs[v as usize], v);
        while freed < need && sum < frequency {
            next = self.list.newer(next);
            if next == NIL { break; }
            sum += self.frequency(next).max(1);
            freed += self.costs[next as usize];
        }
        if frequency > sum || (frequency >= 12 && self.lucky()) {
            self.evict_from_main(v);
            self.move_to_main(c);
        } else {
            self.ghost(GW, c);
        }
    }
}

impl Policy for Lazy {
    fn access(&mut self, id: u32, _: usize) -> bool {
        let k = id as usize;
        if self.at[k] as usize == WINDOW || self.at[k] as usize == MAIN {
            if self.hits[k] < 3 { self.hits[k] += 1; }
            return true;
        }
        let cost = self.costs[k];
        if cost > self.limit { return false; }
        self.miss(id);
        while self.cost[WINDOW] + self.cost[MAIN] + cost > self.limit { self.evict_one(cost); }
        (self.hits[k], self.life[k]) = (0, 0);
        self.push(WINDOW, id);
        false
    }
}
