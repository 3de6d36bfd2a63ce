// The bot of seeded.py in Rust, without crates: rustc -O seeded.rs, then exec:"./seeded".
//
// A bot needs only a few JSON fields, which may be anywhere in a line. Words of the notation contain no quotation marks and
// no backslashes, so they need no unescaping.

use std::io::{self, BufRead, Write};

/// Returns the text after a top-level `"name":`, up to the end of the line.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let key = format!("\"{name}\":");
    let mut depth = 0;
    let mut quoted = false;
    let mut escaped = false;
    for (place, letter) in line.char_indices() {
        if !quoted && depth == 1 && line[place..].starts_with(&key) {
            return Some(&line[place + key.len()..]);
        }
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            _ => {}
        }
    }
    None
}

fn number(line: &str, name: &str) -> u64 {
    let text = field(line, name).unwrap_or("0");
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().unwrap_or(0)
}

fn text<'a>(line: &'a str, name: &str) -> &'a str {
    field(line, name)
        .and_then(|rest| rest.strip_prefix('"'))
        .and_then(|rest| rest.split('"').next())
        .unwrap_or("")
}

/// Returns the words of `"options":[{"token":"pass"},…]`.
fn options(line: &str) -> Vec<&str> {
    let rest = field(line, "options").unwrap_or("");
    let list = rest.split(']').next().unwrap_or("");
    list.split("\"token\":\"").skip(1).filter_map(|part| part.split('"').next()).collect()
}

struct Bot {
    state: u32,
    seq: u64,
    words: Vec<String>,
}

impl Bot {
    /// Returns one of the options; a single option uses no random number.
    fn pick(&mut self, words: &[&str]) -> String {
        if words.len() > 1 {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 17;
            self.state ^= self.state << 5;
            return words[self.state as usize % words.len()].to_string();
        }
        words[0].to_string()
    }

    fn message(&self, kind: &str) -> String {
        let words: Vec<String> = self.words.iter().map(|word| format!("\"{word}\"")).collect();
        format!("{{\"type\":\"{kind}\",\"seq\":{},\"tokens\":[{}]}}", self.seq, words.join(","))
    }

    /// Returns the response to a message; empty if it has none.
    fn handle(&mut self, line: &str) -> String {
        match text(line, "type") {
            "hello" => {
                self.state = (number(line, "seed") % (1 << 32)) as u32;
                self.state = self.state.max(1);
                "{\"type\":\"join\",\"detail\":\"lean\"}".to_string()
            }
            "prompt" => {
                self.seq = number(line, "seq");
                self.words = vec![self.pick(&options(line))];
                self.message("preview")
            }
            "preview_result" => {
                if field(line, "complete").is_some_and(|rest| rest.starts_with("true")) {
                    return self.message("move");
                }
                let word = self.pick(&options(line));
                self.words.push(word);
                self.message("preview")
            }
            _ => String::new(),
        }
    }
}

fn main() -> io::Result<()> {
    let mut bot = Bot { state: 1, seq: 0, words: Vec::new() };
    for line in io::stdin().lock().lines() {
        let line = line?;
        if text(&line, "type") == "quit" {
            break;
        }
        let answer = bot.handle(&line);
        if !answer.is_empty() {
            println!("{answer}");
            io::stdout().flush()?;
        }
    }
    Ok(())
}
