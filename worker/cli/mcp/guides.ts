import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { meant } from '../command.ts'
import { indexOf } from './guide-index.ts'

export interface Guide {
  name: string
  title: string
  text: string
}

interface Section {
  guide: Guide
  heading: string
  text: string
}

/** The guides in a folder. A guide is named by its file. */
export const guidesIn = (folder: string): Guide[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      return { name: file.slice(0, -3), title: /^# (.+)$/m.exec(text)?.[1] ?? file, text }
    })

/** The text below each heading. A line of code that begins with # is not one. */
export function sectionsOf(guide: Guide): Section[] {
  const sections: Section[] = []
  let inCode = false
  for (const line of guide.text.split('\n')) {
    if (line.startsWith('```')) inCode = !inCode
    const heading = inCode ? undefined : /^#{1,3} (.+)$/.exec(line)?.[1]
    if (heading !== undefined || sections.length === 0) sections.push({ guide, heading: heading ?? '', text: '' })
    sections.at(-1)!.text += `${line}\n`
  }
  return sections
}

/** A guide in the list of guides (README.md). */
export interface GuideLink {
  /** The name of the page. */
  name: string
  text: string
  description: string
}

export interface GuideGroup {
  text: string
  links: GuideLink[]
}

/** A line of a table: `| [Passkeys](passkeys.md) | the keys of devices |`. */
function linkOf(line: string): GuideLink[] {
  const [link = '', description = ''] = line.slice(2, -2).split(' | ')
  const [, text, name] = /^\[([^\]]+)\]\(([\w-]+)\.md\)$/.exec(link) ?? []
  return text && name ? [{ name, text, description }] : []
}

/** The groups of the list of guides (README.md), in its order: a table each, with its name in the first cell. */
export function guideGroupsOf(list: string): GuideGroup[] {
  return list
    .split(/\n\n/)
    .filter((part) => part.startsWith('| '))
    .map((table) => ({
      text: /^\| ([^|]+) \|/.exec(table)![1]!.replace(/^./, (letter) => letter.toUpperCase()),
      links: table.split('\n').flatMap(linkOf),
    }))
}

/** What each guide is about, by its name. */
const descriptionsIn = (folder: string): Map<string, string> =>
  new Map(
    guideGroupsOf(readFileSync(join(folder, 'README.md'), 'utf8'))
      .flatMap(({ links }) => links)
      .map(({ name, description }) => [name, description]),
  )

export function listGuides(folder: string): string {
  const descriptions = descriptionsIn(folder)
  return guidesIn(folder)
    .map(({ name, title }) => `${name}: ${title}. ${descriptions.get(name)}`)
    .join('\n')
}

/** Searches of the sections of folders. The guides of a package do not change while it runs. */
const searches = new Map<string, (query: string) => Section[]>()

function searchOf(folder: string): (query: string) => Section[] {
  const sections = guidesIn(folder).flatMap(sectionsOf)
  const find = indexOf(
    sections.map(({ guide, heading, text }) => ({ guide: guide.name, title: guide.title, heading, text })),
  )
  return (query) => find(query).map((at) => sections[at]!)
}

/** The sections that fit best. Words may be mistyped, and need not all occur. */
export function searchGuides(folder: string, query: string, limit: number): string {
  const search = searches.get(folder) ?? searchOf(folder)
  searches.set(folder, search)
  const found = search(query).slice(0, limit)
  if (found.length === 0) return `No section is about ${query}. Use other words, or list_guides.`
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return found
    .map((section) => `${section.guide.name} > ${section.heading}\n${excerpt(section.text, words)}`.trimEnd())
    .join('\n\n')
}

/** The first lines with one of the words. */
const excerpt = (text: string, words: string[]): string =>
  text
    .split('\n')
    .filter((line) => words.some((word) => line.toLowerCase().includes(word)))
    .slice(0, 3)
    .map((line) => `  ${line.trim().slice(0, 240)}`)
    .join('\n')

/** Guides that list what exists, without steps. */
const references = new Set(['options', 'endpoints', 'troubleshooting', 'compare', 'examples', 'introduction'])

/** What to change for a wish: the steps of the guides that fit best, the settings that they name, and how to check the result. */
export function planFor(folder: string, wish: string): string {
  const search = searches.get(folder) ?? searchOf(folder)
  searches.set(folder, search)
  const found = search(wish)
  const guides = [...new Set(found.map(({ guide }) => guide))].filter(({ name }) => !references.has(name)).slice(0, 2)
  if (guides.length === 0) return `No guide is about ${wish}. Use other words, or list_guides.`
  const names = (text: string, name: string) => new RegExp(`\\b${name}`).test(text)
  const settings = [...optionsIn(folder)].filter(([path]) => {
    const [group, ...inner] = path.split('.')
    return guides.some(
      ({ text }) => text.includes(path) || (names(text, `${group}: \\{`) && names(text, `${inner.at(-1)}:`)),
    )
  })
  const descriptions = descriptionsIn(folder)
  const parts = guides.map((guide) => {
    const steps = stepsOf(guide).map((step, at) => `${at + 1}. ${step}`)
    return [`${guide.title} (read_guide ${guide.name}): ${descriptions.get(guide.name)}`, ...steps].join('\n')
  })
  const named = settings.slice(0, 12).map(([name, row]) => `- ${name}: ${row}`)
  return [
    ...parts,
    ...(named.length > 0 ? [`Settings of gatehouse({ … }) that these guides name:\n${named.join('\n')}`] : []),
    'Then: validate_configuration with the changed object, npx gatehouse-auth doctor, npm run check.',
  ].join('\n\n')
}

/** The first sentence of each numbered step. */
const stepsOf = ({ text }: Guide): string[] =>
  [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^\d+\. ((?:.+\n)(?: {3}\S.*\n)*)/gm)].map(([, step]) =>
    step!
      .replace(/\s+/g, ' ')
      .replace(/\]\([^)]*\)/g, ']')
      .split(/(?<=[.:]) /)[0]!
      .replace(/[[\]]/g, '')
      .trim(),
  )

/** The explanations of options.md by the names of the settings. */
function optionsIn(folder: string): Map<string, string> {
  const text = guidesIn(folder).find(({ name }) => name === 'options')?.text ?? ''
  const rows = [...text.matchAll(/^\| `([\w.]+)` \|.*\| ([^|]+) \|$/gm)]
  return new Map(rows.filter(([, name]) => name!.includes('.')).map(([, name, row]) => [name!, row!.trim()]))
}

/** A guide, or a section of it. The name comes from a client: it selects one of the files and is not part of a path. */
export function readGuide(folder: string, name: string, heading?: string): string {
  const guides = guidesIn(folder)
  const guide = guides.find((one) => one.name === name.replace(/\.md$/, ''))
  if (!guide)
    return unknown(
      'guide',
      name,
      guides.map((one) => one.name),
      'list_guides lists all names.',
    )
  if (heading === undefined) return guide.text
  const sections = sectionsOf(guide)
  const lower = heading.toLowerCase()
  const section = sections.find((one) => one.heading.toLowerCase() === lower)
  const names = sections.map((one) => one.heading)
  return section?.text ?? unknown('section', heading, names, `Sections: ${names.join('; ')}.`)
}

/** The section of an error code in troubleshooting.md, which is generated from the registry of errors. */
export function explainError(folder: string, code: string): string {
  const guide = guidesIn(folder).find(({ name }) => name === 'troubleshooting')!
  const sections = sectionsOf(guide)
  const wanted = code.trim().toUpperCase()
  const known = sections.map(({ heading }) => heading).filter((heading) => /^[A-Z0-9_]+$/.test(heading))
  const section = sections.find(({ heading }) => heading.toUpperCase() === wanted)
  return section?.text ?? unknown('error code', code, known, 'The guide troubleshooting lists all codes.')
}

function unknown(what: string, given: string, known: string[], advice: string): string {
  const close = meant(given, known)
  return `Unknown ${what} ${given}${close ? `; did you mean ${close}?` : '.'} ${advice}`
}
