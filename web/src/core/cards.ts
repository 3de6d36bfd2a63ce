// Tokens of the notation that are cards.
const CARD = /^(?:[SHDC](?:A|[2-9]|10|J|Q|K)|JK2?)$/;

export function isCard(word: string): boolean {
  return CARD.test(word);
}
