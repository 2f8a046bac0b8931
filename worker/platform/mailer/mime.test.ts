import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { mimeMessage } from './mime.ts'

const mail = {
  id: 'mail-1',
  to: 'a@b.example',
  subject: 'S',
  text: 'ä\n'.repeat(500),
  html: `<p>${'x'.repeat(5000)}</p>`,
}
const from = { address: 'c@d.example', name: 'Gatehouse' }

/** The lines of one header. */
async function linesOf(name: string, changes: Partial<typeof mail>, sender = from): Promise<string[]> {
  const message = await mimeMessage({ ...mail, ...changes }, sender, new Date(0))
  const header = new RegExp(`^${name}: (.*(?:\\r\\n .*)*)`, 'm').exec(message)![1]!
  return header.split('\r\n ')
}

const decodeWords = (words: string[]) =>
  words.map((word) => Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)![1]!, 'base64').toString())

describe('the subject', () => {
  test('is left as it is where it is short ASCII', async () => {
    expect(await linesOf('Subject', { subject: 'Verify your email' })).toEqual(['Verify your email'])
  })

  test('is encoded in words of at most 75 characters, never cut inside a character', async () => {
    const subject = 'Grüße 👋🏽 '.repeat(12).trim()
    const words = await linesOf('Subject', { subject })
    for (const word of words) expect(word.length).toBeLessThanOrEqual(75)
    expect(decodeWords(words).every((word) => !word.includes('\ufffd'))).toBe(true)
    expect(decodeWords(words).join('')).toBe(subject)
  })

  test.each(['=?UTF-8?B?SGk=?=', `an =?UTF-8?Q?encoded?= word ${'x'.repeat(100)}`])(
    'that only looks like an encoded word keeps its text: %s',
    async (subject) => {
      const words = (await linesOf('Subject', { subject })).flatMap((line) => line.split(' '))
      expect(decodeWords(words).join('')).toBe(subject)
    },
  )

  test('stays in its line, whatever it holds', async () => {
    const message = await mimeMessage({ ...mail, subject: 'x\r\nBcc: v@x.example\r\n\r\nbody' }, from, new Date(0))
    expect(message).not.toMatch(/^Bcc:/m)
    expect(message.split('\r\n\r\n')[0]).toContain('Content-Type: multipart/alternative')
  })
})

describe('the message', () => {
  test('is ASCII in short lines, none of which begins with a dot', async () => {
    const message = await mimeMessage(mail, { address: 'c@d.example', name: 'Zoë "Z" \\' }, new Date(0))
    for (const line of message.split('\r\n')) {
      expect(line).toMatch(/^[\x20-\x7e]{0,78}$/)
      expect(line.startsWith('.')).toBe(false)
    }
    expect(message).toContain('\r\nDate: Thu, 01 Jan 1970 00:00:00 +0000\r\n')
    expect(message).toMatch(/\r\nMessage-ID: <mail-1@d\.example>\r\n/)
  })

  test('quotes a plain sender name', async () => {
    expect(await linesOf('From', {}, { ...from, name: 'A "B" \\' })).toEqual(['"A \\"B\\" \\\\" <c@d.example>'])
  })
})
