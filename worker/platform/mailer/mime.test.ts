import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { encodeHeader, mimeMessage } from './mime.ts'

const decodeWords = (header: string) =>
  header.split('\r\n ').map((word) => Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)![1]!, 'base64').toString())

describe('encodeHeader', () => {
  test('leaves short ASCII as it is', () => {
    expect(encodeHeader('Verify your email')).toBe('Verify your email')
  })

  test('encodes other text in words of at most 75 characters, never cut inside a character', () => {
    const text = 'Grüße 👋🏽 '.repeat(12).trim()
    const encoded = encodeHeader(text)
    for (const word of encoded.split('\r\n ')) expect(word.length).toBeLessThanOrEqual(75)
    expect(decodeWords(encoded).every((word) => !word.includes('\ufffd'))).toBe(true)
    expect(decodeWords(encoded).join('')).toBe(text)
  })

  test('encodes what only looks like an encoded word', () => {
    expect(decodeWords(encodeHeader('=?UTF-8?B?SGk=?='))).toEqual(['=?UTF-8?B?SGk=?='])
  })
})

describe('mimeMessage', () => {
  const mail = { to: 'a@b.example', subject: 'S', text: 'ä\n'.repeat(500), html: `<p>${'x'.repeat(5000)}</p>` }

  test('is ASCII in short lines, none of which begins with a dot', () => {
    const message = mimeMessage(mail, { address: 'c@d.example', name: 'Zoë "Z" \\' }, new Date(0))
    for (const line of message.split('\r\n')) {
      expect(line).toMatch(/^[\x20-\x7e]{0,78}$/)
      expect(line.startsWith('.')).toBe(false)
    }
    expect(message).toContain('\r\nDate: Thu, 01 Jan 1970 00:00:00 +0000\r\n')
    expect(message).toMatch(/\r\nMessage-ID: <[0-9a-f-]{36}@d\.example>\r\n/)
  })

  test('quotes a plain sender name', () => {
    const message = mimeMessage(mail, { address: 'c@d.example', name: 'A "B" \\' }, new Date(0))
    expect(message.split('\r\n')[0]).toBe('From: "A \\"B\\" \\\\" <c@d.example>')
  })
})
