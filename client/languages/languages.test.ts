import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countdownInWords } from '../../worker/kit/time.ts'
import { defineTexts, textsOf } from '../lib/texts/define.ts'
import { allProblems, folderOfLanguages, textProblems, translations } from './english.ts'

describe('the files of a language', () => {
  it('are those of the languages', () => {
    const folders = readdirSync(folderOfLanguages, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map(({ name }) => name).sort()).toEqual([...translations].sort())
  })

  it('have every text of English, with the same values', () => {
    expect(allProblems()).toEqual([])
  })

  it('are checked: missing and unknown keys, values, forms', () => {
    const texts = { a: 'one', b: 'for {name}', c: { one: '{count} key', other: '{count} keys' }, d: { e: 'x' }, f: 'y' }
    const words = { a: 'eins', b: 'für {person}', c: { other: '{count} Schlüssel' }, d: 'kein', z: 'zu viel' }
    expect(textProblems('de', words, texts)).toEqual([
      'de: b has the values person; English has name',
      'de: c has no form for "one"',
      'de: d is missing',
      'de: f is missing',
      'de: z does not exist in English',
    ])
  })
})

/** What a button shows, and its name with what it is about. */
const namedButtons: [shown: string, name: string][] = [
  ['core.rename', 'core.renameOne'],
  ['core.delete', 'passkey.removeOne'],
  ['accounts.unlink', 'accounts.unlinkOne'],
  ['auditRecords.details', 'auditRecords.detailsOf'],
  ['profile.inTheWayTo.members', 'profile.inTheWayMembers'],
  ['profile.inTheWayTo.settings', 'profile.inTheWaySettings'],
  ['threats.unblock', 'threats.unblockThis'],
]

it.each(translations)('the name of a button contains what it shows, for those who say it: %s', (language) => {
  const read = (part: string) => JSON.parse(readFileSync(join(folderOfLanguages, language, `${part}.json`), 'utf8'))
  const texts = { ...read('visitor'), ...read('member') }
  const at = (path: string): string => path.split('.').reduce((group, key) => group[key], texts)
  const wrong = namedButtons.filter(([shown, name]) => !at(name).toLowerCase().includes(at(shown).toLowerCase()))
  expect(wrong).toEqual([])
})

describe('texts', () => {
  const dictionary = defineTexts('keys', {
    title: 'Keys',
    sent: 'Sent to {email}, valid for {lifetime}. Not {email}? Ask again.',
    left: { zero: 'No key', one: 'One key of {name}', other: '{count} keys of {name}' },
    names: { on: 'On' },
  })

  it('are functions of their values, in the order of English', () => {
    const t = textsOf(dictionary, 'en', {})
    expect(t.sent('a@b.example', '5 minutes')).toBe(
      'Sent to a@b.example, valid for 5 minutes. Not a@b.example? Ask again.',
    )
    expect(t.names.on).toBe('On')
    expect([t.left(0, 'x'), t.left(1, 'x'), t.left(1234, 'x')]).toEqual(['No key', 'One key of x', '1,234 keys of x'])
  })

  it('are English where the language has none, and keep the order of the values', () => {
    const t = textsOf(dictionary, 'de', { keys: { sent: '{lifetime} gültig, an {email}' } })
    expect(t.title).toBe('Keys')
    expect(t.sent('a@b.example', '5 Minuten')).toBe('5 Minuten gültig, an a@b.example')
    expect(t.left(1234, 'x')).toBe('1,234 keys of x')
  })

  it('use the plural forms of the language', () => {
    const arabic = { one: 'واحد', two: 'اثنان', few: '{count} قليل', many: '{count} كثير', other: '{count} غير' }
    const t = textsOf(dictionary, 'ar', { keys: { left: arabic } })
    const forms = [1, 2, 3, 11, 100].map((count) => t.left(count, 'x').replace(/[\d٠-٩]+ /, ''))
    expect(forms).toEqual(['واحد', 'اثنان', 'قليل', 'كثير', 'غير'])
  })

  it('show values as they are: braces in them are not placeholders', () => {
    expect(textsOf(dictionary, 'en', {}).sent('{lifetime}', 'x')).toBe(
      'Sent to {lifetime}, valid for x. Not {lifetime}? Ask again.',
    )
  })
})

it('a countdown is in whole minutes from 90 seconds', () => {
  expect([1, 45, 892].map((left) => countdownInWords(left, 'en'))).toEqual(['1 second', '45 seconds', '15 minutes'])
  expect([1, 45, 892].map((left) => countdownInWords(left, 'de'))).toEqual(['1 Sekunde', '45 Sekunden', '15 Minuten'])
})
