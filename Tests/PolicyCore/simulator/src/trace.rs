//! Trace loading and the costs of keys. A trace is `*.txt.gz`: one request a line, a decimal u64 key,
//! optionally followed by its cost.

use std::collections::HashMap;
use std::process::Command;

pub struct Trace {
    pub name: String,
    /// Requests as dense ids `0..unique`, numbered by first appearance.
    pub requests: Vec<u32>,
    pub keys: Vec<u64>,
    /// A well-mixed 64-bit hash of each dense id's original key.
    pub hashes: Vec<u64>,
    /// Index of the next request for the same key, `u32::MAX` if none.
    pub next_use: Vec<u32>,
    /// What the lines say that keys cost; one where they say nothing.
    pub costs: Vec<u64>,
}

/// splitmix64 finaliser.
pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Trace {
    pub fn unique(&self) -> usize {
        self.keys.len()
    }

    pub fn load(path: &str) -> Trace {
        let out = Command::new("gzip").args(["-dc", path]).output().expect("gzip -dc");
        assert!(out.status.success(), "gzip failed on {path}");
        let text = String::from_utf8(out.stdout).expect("utf-8 trace");
        let file = path.rsplit('/').next().unwrap();
        let name = file.split('.').next().unwrap().to_string();
        let mut ids: HashMap<u64, u32> = HashMap::new();
        let (mut keys, mut costs) = (Vec::new(), Vec::new());
        let requests: Vec<u32> = text
            .lines()
            .map(|line| {
                let mut fields = line.split_whitespace();
                let key: u64 = fields.next().unwrap().parse().expect("decimal u64 key");
                *ids.entry(key).or_insert_with(|| {
                    keys.push(key);
                    costs.push(fields.next().map_or(1, |c| c.parse().expect("decimal u64 cost")));
                    (keys.len() - 1) as u32
                })
            })
            .collect();
        let mut last = vec![u32::MAX; keys.len()];
        let mut next_use = vec![u32::MAX; requests.len()];
        for (i, &id) in requests.iter().enumerate().rev() {
            next_use[i] = last[id as usize];
            last[id as usize] = i as u32;
        }
        let hashes = keys.iter().map(|&k| mix(k)).collect();
        Trace { name, requests, keys, hashes, next_use, costs }
    }

    /// The size ladder used in the study.
    pub fn ladder(&self) -> Vec<usize> {
        let u = self.unique() as f64;
        let fractions: [f64; 5] = if self.unique() < 20_000 {
            [0.025, 0.05, 0.10, 0.25, 0.50]
        } else {
            [0.001, 0.01, 0.05, 0.10, 0.25]
        };
        fractions.iter().map(|f| (u * f).round() as usize).collect()
    }

    /// What each key costs; integer arithmetic only, so that other programs can do the same.
    pub fn costs(&self, distribution: &str) -> Vec<u64> {
        let word = |k: u64| mix(mix(k)) >> 32;
        match distribution {
            // As the lines say.
            "trace" => self.costs.clone(),
            "unit" => vec![1; self.unique()],
            "uniform" => self.keys.iter().map(|&k| 1 + word(k) % 100).collect(),
            // Pareto with exponent one: 10 … 100,000.
            "pareto" => self.keys.iter().map(|&k| ((10 << 32) / (word(k) + 1)).min(100_000)).collect(),
            // One key in ten is a thousand times as dear.
            "two" => self.keys.iter().map(|&k| if word(k) % 10 == 0 { 1_000 } else { 1 }).collect(),
            // Proportional to the rank by popularity: what is asked for most is cheapest.
            "rank" => {
                let mut count = vec![0u64; self.unique()];
                for &id in &self.requests { count[id as usize] += 1; }
                let mut order: Vec<usize> = (0..self.unique()).collect();
                order.sort_by_key(|&id| (std::cmp::Reverse(count[id]), id));
                let mut costs = vec![0; self.unique()];
                for (rank, &id) in order.iter().enumerate() {
                    costs[id] = 1 + rank as u64 * 1_000 / self.unique() as u64;
                }
                costs
            }
            _ => panic!("unknown distribution {distribution}"),
        }
    }
}
