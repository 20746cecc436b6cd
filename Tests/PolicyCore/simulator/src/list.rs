//! Intrusive doubly linked lists over dense ids. Every id is in at most one list of a `Links`.

pub struct Links {
    prev: Vec<u32>,
    next: Vec<u32>,
    len: Vec<usize>,
    base: u32,
}

pub const NIL: u32 = u32::MAX;

impl Links {
    /// `ids` possible members and `lists` list heads (named `0..lists`).
    pub fn new(ids: usize, lists: usize) -> Links {
        let mut prev = vec![NIL; ids + lists];
        let mut next = vec![NIL; ids + lists];
        for h in ids..ids + lists {
            prev[h] = h as u32;
            next[h] = h as u32;
        }
        Links { prev, next, len: vec![0; lists], base: ids as u32 }
    }

    pub fn len(&self, list: usize) -> usize {
        self.len[list]
    }

    fn head(&self, list: usize) -> u32 {
        self.base + list as u32
    }

    fn link(&mut self, list: usize, before: u32, id: u32, after: u32) {
        self.prev[id as usize] = before;
        self.next[id as usize] = after;
        self.next[before as usize] = id;
        self.prev[after as usize] = id;
        self.len[list] += 1;
    }

    /// Inserts at the front: the newest end.
    pub fn push_front(&mut self, list: usize, id: u32) {
        let h = self.head(list);
        self.link(list, h, id, self.next[h as usize]);
    }

    pub fn remove(&mut self, list: usize, id: u32) {
        let (p, n) = (self.prev[id as usize], self.next[id as usize]);
        self.next[p as usize] = n;
        self.prev[n as usize] = p;
        self.prev[id as usize] = NIL;
        self.next[id as usize] = NIL;
        self.len[list] -= 1;
    }

    pub fn move_to_front(&mut self, list: usize, id: u32) {
        self.remove(list, id);
        self.push_front(list, id);
    }

    /// The oldest id or NIL.
    pub fn back(&self, list: usize) -> u32 {
        let id = self.prev[self.head(list) as usize];
        if id >= self.base { NIL } else { id }
    }

    pub fn pop_back(&mut self, list: usize) -> u32 {
        let id = self.back(list);
        if id != NIL {
            self.remove(list, id);
        }
        id
    }

    /// The neighbour one step towards the front, or NIL.
    pub fn newer(&self, id: u32) -> u32 {
        let p = self.prev[id as usize];
        if p >= self.base { NIL } else { p }
    }
}
