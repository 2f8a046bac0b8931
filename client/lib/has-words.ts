/** Lower case without accents. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Whether a text contains every word that was typed, in any order. */
export function hasWords(typed: string, text: string): boolean {
  const all = plain(text)
  return plain(typed)
    .split(/\s+/)
    .every((word) => all.includes(word))
}
