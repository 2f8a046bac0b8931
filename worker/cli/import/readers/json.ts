import { ImportError } from '../records.ts'
import { textOf } from './text.ts'

/** Larger than any user's record. The reader skips longer records. */
const maxLineLength = 4 * 1024 * 1024

export type Item = { at: string; value: Record<string, unknown> } | { at: string; problem: string }

/**
 * The objects of a JSON file, one at a time: of a list, of NDJSON, or of the list in a document such as `{"users":
 * [...]}`. A malformed object or other content between objects is reported, and the reader continues after it.
 * @param list the member of the document that contains the list; without it the file is a list or NDJSON
 * @throws ImportError for a file of another form, such as CSV
 */
export async function* readObjects(file: string, list?: string): AsyncGenerator<Item> {
  const begins = list === undefined ? null : new RegExp(`"${list}"\\s*:\\s*\\[$`)
  /** The text of the document before its list; null after the start of the list. */
  let heading: string | null = begins ? '' : null
  /** The text of the current object; null between objects. */
  let text: string | null = null
  let [count, depth, inString, escaped] = [0, 0, false, false]
  /** Whether the current text between two objects has been reported. */
  let stray = false
  /** Whether every line is a separate object. */
  let byLine: boolean | null = list === undefined ? null : false
  let isFirst = true
  let last = '\n'
  for await (const chunk of textOf(file)) {
    let from = 0
    for (let i = 0; i < chunk.length; i++) {
      const c = chunk[i]!
      const beginsLine = last === '\n'
      last = c
      if (isFirst && !/\s/.test(c)) {
        const [line] = chunk.slice(i).split('\n', 1)
        // A record without its first brace has others.
        if (!/[{}[\]]/.test(line!)) throw notJson(file, line!)
        isFirst = false
        byLine ??= c === '{'
      }
      if (heading !== null) {
        heading = (heading + c).slice(-100)
        if (c === '[' && begins!.test(heading)) heading = null
      } else if (text === null) {
        if (c === '{') [text, from, depth, inString, escaped, stray] = ['', i, 1, false, false, false]
        // The list of a document has ended; the rest of the document contains no records.
        else if (c === ']' && begins) return
        else if (c === '\n') stray = false
        else if (!stray && !/[\s,[\]]/.test(c)) {
          stray = true
          yield { at: `record ${++count}`, problem: 'invalid JSON' }
        }
      } else if (inString && c === '\n') {
        // A string has no line breaks, so a record with a missing quote ends with its line, not with the file.
        yield { at: `record ${++count}`, problem: 'invalid JSON' }
        text = null
      } else if (inString) {
        if (escaped) escaped = false
        else if (c === '\\') escaped = true
        else if (c === '"') inString = false
      } else if (byLine && beginsLine && c === '{') {
        // A brace of the previous record is missing.
        yield { at: `record ${++count}`, problem: 'invalid JSON' }
        ;[text, from, depth] = ['', i, 1]
      } else if (c === '"') inString = true
      else if (c === '{' || c === '[') depth++
      else if ((c === '}' || c === ']') && --depth === 0) {
        yield parse(`record ${++count}`, text + chunk.slice(from, i + 1))
        text = null
      }
    }
    if (text !== null && text.length <= maxLineLength) text += chunk.slice(from)
  }
  if (text !== null) yield { at: `record ${++count}`, problem: 'invalid JSON' }
}

const notJson = (file: string, line: string) =>
  new ImportError(
    `${file}: is not JSON: it begins with ${JSON.stringify(line.slice(0, 60))}`,
    'give the export in JSON; npx gatehouse-auth import --help prints the files of each source',
  )

function parse(at: string, text: string): Item {
  if (text.length > maxLineLength) return { at, problem: 'is longer than 4 MiB' }
  try {
    return { at, value: JSON.parse(text) as Record<string, unknown> }
  } catch {
    return { at, problem: 'invalid JSON' }
  }
}
