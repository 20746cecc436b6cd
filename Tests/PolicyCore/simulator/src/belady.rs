//! Belady's MIN with bypass (Caffeine's Clairvoyant): what is used again last leaves, the newcomer
//! included. With costs that differ it is a yardstick, no longer the optimum.

use crate::{Job, Policy};
use std::collections::BinaryHeap;

pub struct Belady<'a> {
    next_use: &'a [u32],
    next: Vec<u32>, // next use of a resident id; 0 when absent (a next use is never request 0)
    heap: BinaryHeap<(u32, u32)>,
    costs: &'a [u64],
    used: u64,
    limit: u64,
}

impl<'a> Belady<'a> {
    pub fn new(job: &'a Job) -> Self {
        let next = vec![0; job.trace.unique()];
        Belady { next_use: &job.trace.next_use, next, heap: BinaryHeap::new(), costs: job.costs, used: 0, limit: job.limit }
    }
}

impl Policy for Belady<'_> {
    fn access(&mut self, id: u32, i: usize) -> bool {
        let hit = self.next[id as usize] != 0;
        if !hit { self.used += self.costs[id as usize]; }
        // Never-again entries get distinct ranks only through their id; any of them may go first.
        let when = self.next_use[i];
        self.next[id as usize] = when;
        self.heap.push((when, id));
        while self.used > self.limit {
            let Some((when, id)) = self.heap.pop() else { break };
            if self.next[id as usize] == when {
                self.next[id as usize] = 0;
                self.used -= self.costs[id as usize];
            }
        }
        hit
    }
}
