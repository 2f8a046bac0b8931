// What the documentation site and its tests read of the guides: groups, descriptions, anchors and sections.

import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { IndexedSection } from '../cli/mcp/guide-index.ts'
import { type GuideGroup, guideGroupsOf, guidesIn, sectionsOf } from '../cli/mcp/guides.ts'

const root = join(import.meta.dirname, '../..')
export const folder = join(root, 'worker/guides')

/** The path of the site, with which each address of it begins. */
export const base = '/docs/'

/** The folder of the built site. */
export const built = join(root, 'dist/docs')

/** Documents outside of the folder of the guides, by the name of their page. */
export const others = {
  changelog: { file: 'CHANGELOG.md', title: 'Changelog', description: 'what each version changes for users' },
  storage: { file: 'storage.md', title: 'Storage', description: 'each table, record and cookie' },
} as const

export const groups = (): GuideGroup[] => guideGroupsOf(readFileSync(join(folder, 'README.md'), 'utf8'))

/** The anchor of a heading, as GitHub makes it: links between guides work there and on the site. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** One group of options as a page of the site: in one page all of them would be 100,000 pixels high. */
export interface OptionsPage {
  /** Of the page, `options-session`, and of the section in options.md, `session`. */
  name: string
  anchor: string
  title: string
  text: string
}

/** The pages of options.md, one for each section. */
export function optionsPages(): OptionsPage[] {
  const [, ...groups] = readFileSync(join(folder, 'options.md'), 'utf8').split(/^## /m)
  return groups.map((group) => {
    const title = group.slice(0, group.indexOf('\n'))
    const anchor = anchorOf(title)
    const text = `# Options: ${title}\n${group.slice(title.length + 1)}\n[All options](options.md)\n`
    return { name: `options-${anchor}`, anchor, title, text }
  })
}

/** options.md as a page: the same sections, each with a link, so that addresses of sections lead on. */
export function optionsIndex(): string {
  const [introduction] = readFileSync(join(folder, 'options.md'), 'utf8').split(/^## /m)
  const links = optionsPages().map(({ name, title, text }) => {
    const settings = text.match(/^\| `/gm)?.length ?? 0
    return `## ${title}\n\n[${settings} ${settings === 1 ? 'setting' : 'settings'}](${name}.md)\n`
  })
  return `${introduction}${links.join('\n')}`
}

/** The address of a section of a guide on the site. */
export const addressOfSection = (guide: string, anchor: string): string =>
  guide === 'options' ? `options-${anchor}` : `${guide}#${anchor}`

/** The sections of all guides with their addresses, for the search. */
export function sections(): (IndexedSection & { url: string })[] {
  return guidesIn(folder).flatMap((guide) => {
    const seen = new Map<string, number>()
    return sectionsOf(guide).map(({ heading, text }) => {
      const anchor = anchorOf(heading)
      const count = seen.get(anchor) ?? 0
      seen.set(anchor, count + 1)
      const unique = count === 0 ? anchor : `${anchor}-${count}`
      const address = heading === guide.title ? guide.name : addressOfSection(guide.name, unique)
      return { guide: guide.name, title: guide.title, heading, text, url: `${base}${address}` }
    })
  })
}

/** The list of guides in the form of llmstxt.org, with the Markdown of each page. */
export function listForModels(): string {
  const list = groups().map(
    ({ text, links }) =>
      `## ${text}\n\n${links.map(({ text, name, description }) => `- [${text}](${base}${name}.md): ${description}${name === 'options' ? `; one group: ${base}options-<group>.md` : ''}`).join('\n')}\n`,
  )
  return `# Gatehouse\n\n> An account platform as one Cloudflare Worker. The package is gatehouse-auth.\n\n${list.join('\n')}`
}

/** The hash of all that the site is built from. */
export function hashOfSources(): string {
  const hash = createHash('sha256')
  const files = globSync(
    [
      ...['package-lock.json', 'client/public/favicon.svg', 'worker/{CHANGELOG,storage}.md'],
      ...['worker/guides/**/*.{md,svg}', 'worker/cli/mcp/guide*.ts', 'worker/docs/*.{ts,md}'],
      'worker/docs/.vitepress/{*.ts,theme/*}',
    ],
    { cwd: root, exclude: ['**/*.test.ts', '**/*.e2e.ts'] },
  )
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** The file of a built site that says what it was built from. */
export const stampFile = 'sources.sha256'

/** Whether a folder has the site of the present sources. */
export function isBuilt(site: string): boolean {
  const file = join(site, stampFile)
  return existsSync(file) && readFileSync(file, 'utf8') === hashOfSources()
}

/** The Markdown files of the site by the names of their pages. */
export const markdownFiles = (): Map<string, string> =>
  new Map([
    ...globSync('*.md', { cwd: folder }).map(
      (file) => [file === 'README.md' ? 'index' : basename(file, '.md'), join(folder, file)] as const,
    ),
    ...Object.entries(others).map(([name, { file }]) => [name, join(root, 'worker', file)] as const),
  ])
