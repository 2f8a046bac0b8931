import { Buffer } from 'node:buffer'
import type { Answer, Device, TestApp } from './harness.ts'

/** For tests of guides: runs the `curl` command of a printed block against the app. */

/** The words of a shell command: quotes, escaped line ends, and variables outside single quotes. */
function wordsOf(command: string, variables: Readonly<Record<string, string>>): string[] {
  const expanded = (text: string) =>
    text.replace(/\$\{?([A-Z_]+)\}?/g, (_, name: string) => {
      if (!Object.hasOwn(variables, name)) throw new Error(`the guide does not say where $${name} comes from`)
      return variables[name]!
    })
  const part = /'([^']*)'|"([^"]*)"|([^\s'"]+)/y
  const words: string[] = []
  let word: string | null = null
  for (let at = 0; at < command.length; ) {
    part.lastIndex = at
    const found = part.exec(command)
    if (found) {
      word = (word ?? '') + (found[1] ?? expanded(found[2] ?? found[3]!))
      at = part.lastIndex
      continue
    }
    if (word !== null) words.push(word)
    word = null
    at++
  }
  return word === null ? words : [...words, word]
}

/** The blocks of a guide in the language `sh`. */
export const shellBlocks = (guide: string): string[] =>
  [...guide.matchAll(/^ *```sh\n([\s\S]+?)^ *```$/gm)].map(([, block]) => block!)

/** @param device has the cookies of `-b` and `-c` */
export function runCurl(
  app: TestApp,
  block: string,
  { device, ...variables }: { device: Device } & Record<string, string | Device>,
): Promise<Answer> {
  const [line] = block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((text) => text.startsWith('curl '))
  if (!line) throw new Error('the block has no curl command')
  const [, ...words] = wordsOf(line, variables as Record<string, string>)
  const headers: Record<string, string> = { origin: '', 'content-type': 'application/x-www-form-urlencoded' }
  const data: string[] = []
  let [address, withJar] = ['', false]
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (!word.startsWith('-')) address = word
    else {
      const value = words[++at] ?? ''
      if (word === '-b' || word === '-c') withJar = true
      else if (word === '-u') headers.authorization = `Basic ${Buffer.from(value).toString('base64')}`
      else if (word === '-d') data.push(value)
      else if (word === '-H')
        headers[value.slice(0, value.indexOf(':')).toLowerCase()] = value.slice(value.indexOf(':') + 1).trim()
      else throw new Error(`curl ${word} is unknown to this test`)
    }
  }
  const caller = withJar ? device : app.device()
  return data.length > 0 ? caller.post(address, data.join('&'), { headers }) : caller.get(address, { headers })
}
