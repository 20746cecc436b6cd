//! LRU, or FIFO when `promote` is false.

use crate::list::Links;
use crate::{Job, Policy};

pub struct Lru { list: Links, resident: Vec<bool>, costs: Vec<u64>, used: u64, limit: u64, promote: bool }

impl Lru {
    pub fn new(job: &Job, promote: bool) -> Self {
        let ids = job.trace.unique();
        let (list, resident) = (Links::new(ids, 1), vec![false; ids]);
        Lru { list, resident, costs: job.costs.to_vec(), used: 0, limit: job.limit, promote }
    }
}

impl Policy for Lru {
    fn access(&mut self, id: u32, _: usize) -> bool {
        if self.resident[id as usize] {
            if self.promote { self.list.move_to_front(0, id); }
            return true;
        }
        let cost = self.costs[id as usize];
        if cost > self.limit { return false; }
        while self.used + cost > self.limit {
            let victim = self.list.pop_back(0);
            self.resident[victim as usize] = false;
            self.used -= self.costs[victim as usize];
        }
        self.resident[id as usize] = true;
        self.used += cost;
        self.list.push_front(0, id);
        false
    }
}
