/** A text without certain characters at its end. In linear time, unlike an expression such as `/=+$/`. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
