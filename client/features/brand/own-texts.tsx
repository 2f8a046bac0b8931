import { useEffect, useState } from 'react'
import { type TextGroup, textProblems } from '../../../worker/kit/text-problems.ts'
import { isPlural, type Plural } from '../../../worker/kit/texts.ts'
import { languageNames, useTexts } from '../../lib/texts/texts.ts'
import { Field, SelectField } from '../../ui/field.tsx'
import { Note } from '../../ui/state.tsx'
import { brandFormTexts } from './form.texts.ts'

/** A text with its place: dictionary, then keys. */
interface Entry {
  path: string[]
  english: string | Plural
}

/** The results that are shown. Another word finds the rest. */
const maxShown = 12

const entriesOf = (group: TextGroup, path: readonly string[] = []): Entry[] =>
  Object.entries(group).flatMap(([key, value]): Entry[] => {
    const own = [...path, key]
    if (value === null) return []
    return typeof value === 'object' && !isPlural(value) ? entriesOf(value, own) : [{ path: own, english: value }]
  })

const at = (texts: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], texts)

/** The texts with another one; an empty one is removed, with groups that become empty. */
function withText(texts: TextGroup, [key, ...rest]: string[], text: string): TextGroup {
  const { [key!]: own, ...others } = texts
  const inner =
    rest.length === 0
      ? text.trim() && text
      : withText(typeof own === 'object' && own ? (own as TextGroup) : {}, rest, text)
  const isEmpty = typeof inner === 'string' ? inner === '' : Object.keys(inner).length === 0
  return isEmpty ? others : { ...others, [key!]: inner }
}

const formsOf = (language: string): (keyof Plural)[] =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories

interface OwnTextsProps {
  /** `brand.texts`: by language. */
  texts: TextGroup
  onChange(texts: TextGroup): void
}

/** Replaces single texts of the screens and mails. */
export function OwnTexts({ texts, onChange }: OwnTextsProps) {
  const t = useTexts(brandFormTexts)
  const english = useEnglish()
  const [language, setLanguage] = useState('en')
  const [sought, setSought] = useState('')
  if (!english) return null
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean)
  const own = (texts[language] ?? {}) as TextGroup
  const found = entriesOf(english).filter((entry) => {
    const text = `${entry.path.join('.')} ${JSON.stringify(entry.english)}`.toLowerCase()
    return words.length > 0 ? words.every((word) => text.includes(word)) : at(own, entry.path) !== undefined
  })
  const problems = textProblems(language, own, english, { partial: true })
  const languages = [...new Set([...Object.keys(languageNames), ...Object.keys(texts)])]
  return (
    <>
      <SelectField label={t.textsLanguage} value={language} onChange={({ target }) => setLanguage(target.value)}>
        {languages.map((tag) => (
          <option key={tag} value={tag}>
            {(languageNames as Record<string, string>)[tag] ?? tag}
          </option>
        ))}
      </SelectField>
      <Field
        type="search"
        label={t.findText}
        value={sought}
        onChange={({ target }) => setSought(target.value)}
        autoComplete="off"
      />
      {found.slice(0, maxShown).map(({ path, english }) => {
        const forms = typeof english === 'string' ? [[]] : formsOf(language).map((form) => [form])
        return forms.map((form) => {
          const place = [...path, ...form]
          const value = at(own, place)
          return (
            <Field
              key={place.join('.')}
              label={place.join('.')}
              hint={typeof english === 'string' ? english : (english[form[0]!] ?? english.other)}
              value={typeof value === 'string' ? value : ''}
              onChange={({ target }) => onChange(withText(texts, [language, ...place], target.value))}
              autoComplete="off"
            />
          )
        })
      })}
      {found.length > maxShown && <p className="text-sm text-soft">{t.moreTexts(found.length - maxShown)}</p>}
      {words.length > 0 && found.length === 0 && <p className="text-sm text-soft">{t.noText}</p>}
      {problems.length > 0 && (
        <Note tone="warning">
          {problems.map((problem) => (
            <p key={problem} lang="en" dir="ltr">
              {problem}
            </p>
          ))}
        </Note>
      )}
    </>
  )
}

/** The English texts of the build, by dictionary. */
function useEnglish(): TextGroup | null {
  const [english, setEnglish] = useState<TextGroup | null>(null)
  useEffect(() => {
    void fetch('/languages/en.json').then(async (answer) => {
      if (answer.ok) setEnglish((await answer.json()) as TextGroup)
    })
  }, [])
  return english
}
