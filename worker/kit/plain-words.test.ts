import { describe, expect, it } from 'vitest'
import { plainWords } from './plain-words.ts'

describe('plainWords', () => {
  it.each(['Alice', 'Dr. Åsa O’Neill-Öberg', '山田 太郎', 'محمد', 'Acme, Inc.', 'A & B <Ltd>', ''])(
    'leaves %j as it is',
    (name) => {
      expect(plainWords(name)).toBe(name)
    },
  )

  it.each([
    ['two\r\nlines\tand\u2028more\u0085still\u2029', 'two lines and more still'],
    ['hid\u200bden \u202eturned\u0000 ', 'hid den turned'],
    ['https://evil.example/x', 'https: / /evil. example/x'],
    ['see www.evil.example now', 'see www. evil. example now'],
    ['evil。example and evil．example and evil｡example', 'evil。 example and evil． example and evil｡ example'],
    ['me@evil.example', 'me@ evil. example'],
    ['mailto:me', 'mailto: me'],
    ['//evil', '/ /evil'],
    ['\\\\evil\\share', '\\ \\evil\\share'],
    ['J.R.R. Tolkien...', 'J. R. R. Tolkien...'],
  ])('%j becomes %j', (text, words) => {
    expect(plainWords(text)).toBe(words)
  })

  it('is no longer than its limit, in whole characters', () => {
    expect(plainWords('x'.repeat(80))).toBe('x'.repeat(80))
    expect(plainWords('x'.repeat(81))).toBe(`${'x'.repeat(79)}…`)
    expect(plainWords('😀'.repeat(5), 3)).toBe('😀😀…')
  })

  it('leaves nothing that looks like an address, however it is put together', () => {
    const parts = ['evil', '.', ':', '/', '@', '\u200b', ' ', '\n', '。', 'www', 'example', '\\']
    for (const a of parts)
      for (const b of parts)
        for (const c of parts)
          for (const d of parts) {
            const words = plainWords(`${a}${b}${c}${d}evil${a}${c}com`)
            expect(words).not.toMatch(/[^\s.][.。]\p{L}|:\/|\/\/|:\S|@\S|[\r\n]/u)
          }
  })
})
