import type { ReactNode } from 'react'

export interface Command {
  id: string
  label: string
  /** After the label: an address, a slug, the page of an action. */
  detail?: string | undefined
  /** Further words that find it. Only a text finds a command with them. */
  words?: string
  /** Its English label, which finds it in each language. */
  english?: string
  icon: ReactNode
  isActive?: boolean
  run(): void
}

export interface CommandGroup {
  id: string
  label: string
  commands: Command[]
}

export type Open = (act: () => void) => () => void

/** Lower case without accents. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The commands that a text finds, those whose names contain it first, then those whose English names do. Without a text: those without words. */
export function find(groups: readonly CommandGroup[], text: string): CommandGroup[] {
  const wanted = plain(text).split(/\s+/).filter(Boolean)
  const contains = (...texts: string[]) => {
    const all = plain(texts.join(' '))
    return wanted.every((word) => all.includes(word))
  }
  return groups
    .map(({ commands, ...group }) => {
      const shown = commands.filter(({ label, detail = '', words, english = '' }) =>
        wanted.length === 0 ? words === undefined : contains(label, group.label, detail, words ?? '', english),
      )
      const rankOf = ({ label, english = '' }: Command) => (contains(label) ? 0 : contains(english) ? 1 : 2)
      return { ...group, commands: shown.sort((a, b) => rankOf(a) - rankOf(b)) }
    })
    .filter(({ commands }) => commands.length > 0)
}
