"""Below the door: options as words, words as sentences, why a word is refused, the state as text."""
