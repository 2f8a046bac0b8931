// The documentation as static pages, from the guides: dist/docs in the package (package.ts), /docs in development (dev.ts).

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Marked } from 'marked'
import { root } from './tools.ts'

const guides = join(root, 'worker/guides')

/** A guide as a page. */
interface Guide {
  /** The name of its file without an ending; `index` for the list of guides. */
  name: string
  title: string
  markdown: string
}

/** A section that the search finds. */
interface Entry {
  title: string
  url: string
  text: string
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)

/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .trim()
    .replaceAll(' ', '-')

/** Gives each heading of a page its anchor; a repeated one is numbered, as GitHub does. */
function anchorsOfPage(): (title: string) => string {
  const seen = new Map<string, number>()
  return (title) => {
    const anchor = anchorOf(title)
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  }
}

const pageOf = (file: string) => (file === 'README' ? 'index' : file)

function readGuides(): Guide[] {
  return globSync('*.md', { cwd: guides })
    .sort()
    .map((file) => {
      const markdown = readFileSync(join(guides, file), 'utf8')
      return { name: pageOf(basename(file, '.md')), title: /^# (.+)$/m.exec(markdown)![1]!, markdown }
    })
}

const rendererOf = (nextAnchor: (title: string) => string) =>
  new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${nextAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      code({ text }) {
        return `<div class="code"><pre tabindex="0"><code>${escaped(text)}</code></pre></div>\n`
      },
      link({ href, tokens }) {
        // Documents of the repository that are not guides have no page.
        if (href.startsWith('../')) return this.parser.parseInline(tokens)
        const target = href.replace(/^([\w-]+)\.md(?=#|$)/, (_, file: string) => `${pageOf(file)}.html`)
        return `<a href="${escaped(target)}">${this.parser.parseInline(tokens)}</a>`
      },
      // The text of a guide contains no HTML; what looks like it is text.
      html({ text }) {
        return escaped(text)
      },
      table({ header, rows }) {
        const cells = (row: typeof header, tag: string) =>
          `<tr>${row.map(({ tokens }) => (tag === 'th' && tokens.length === 0 ? '<td></td>' : `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`)).join('')}</tr>`
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${cells(header, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table></div>\n`
      },
    },
  })

/** The text of Markdown, for the search. */
const plainText = (markdown: string) =>
  markdown
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/[`*|#[\]]|---+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** The sections of a guide: what is below each heading. A heading inside code is not one. */
function entriesOf({ name, title, markdown }: Guide): Entry[] {
  const withoutCode = markdown.replace(/```[\s\S]*?```/g, (code) => code.replace(/^#/gm, ''))
  const nextAnchor = anchorsOfPage()
  return withoutCode.split(/^(?=#{1,3} )/m).map((section) => {
    const heading = /^#+ (.+)$/m.exec(section)?.[1] ?? title
    const isFirst = heading === title
    const anchor = nextAnchor(heading)
    return {
      title: isFirst ? title : `${title}: ${plainText(heading)}`,
      url: isFirst ? `${name}.html` : `${name}.html#${anchor}`,
      text: plainText(section),
    }
  })
}

/** The groups of the list of guides: a heading and its links. */
function navigation(index: Guide, current: string): string {
  const groups = index.markdown.split(/\n\n/).filter((part) => part.startsWith('| '))
  return groups
    .map((group) => {
      const [, heading = ''] = /^\| ([^|]+) \|/.exec(group) ?? []
      const links = [...group.matchAll(/\[([^\]]+)\]\(([\w-]+)\.md\)/g)].map(
        ([, text, file]) =>
          `<li><a href="${pageOf(file!)}.html"${pageOf(file!) === current ? ' aria-current="page"' : ''}>${escaped(text!)}</a></li>`,
      )
      return `<h2>${escaped(heading)}</h2><ul>${links.join('')}</ul>`
    })
    .join('\n')
}

const pageFor = (guide: Guide, index: Guide): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escaped(guide.title)}${guide === index ? ' for Gatehouse' : ' - Gatehouse'}</title>
<link rel="stylesheet" href="docs.css">
<script type="module" src="docs.js"></script>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="index.html">Gatehouse</a>
<search>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" aria-controls="results">
<ul id="results" hidden></ul>
<p id="found" role="status"></p>
</search>
<button id="theme" type="button" hidden>Dark theme</button>
</header>
<div class="columns">
<nav aria-label="Guides">
<details>
<summary>Guides</summary>
${navigation(index, guide.name)}
</details>
</nav>
<main id="content">
${rendererOf(anchorsOfPage()).parse(guide.markdown) as string}</main>
</div>
</body>
</html>
`

const style = `:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #1a1a18);
  --sunken: light-dark(#f1f1ee, #242422);
  --ink: light-dark(#1a1a18, #ededea);
  --soft: light-dark(#5c5c56, #a6a69e);
  --line: light-dark(#dfdfd9, #353532);
  --edge: light-dark(#8b8b84, #72726a);
  --accent: light-dark(#1f4fbf, #9dbcff);
  font: 16px/1.6 system-ui, sans-serif;
  color: var(--ink);
  background: var(--paper);
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; inset-inline-start: -100vw; }
.skip:focus { inset-inline-start: 8px; inset-block-start: 8px; background: var(--paper); padding: 8px; z-index: 3; }
header { position: sticky; inset-block-start: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center; padding: 8px 24px; background: var(--paper); border-block-end: 1px solid var(--line); }
.home { font-weight: 600; color: var(--ink); text-decoration: none; }
search { position: relative; display: flex; gap: 8px; align-items: center; margin-inline-start: auto; }
input, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: 8px; padding: 4px 12px; min-block-size: 36px; }
input { inline-size: min(20rem, 50vw); }
button { cursor: pointer; }
#results { position: absolute; inset-block-start: 100%; inset-inline-end: 0; margin: 4px 0 0; padding: 8px; inline-size: min(32rem, 90vw); max-block-size: 70vh; overflow: auto; list-style: none; background: var(--paper); border: 1px solid var(--edge); border-radius: 8px; }
#results a { display: block; padding: 4px 8px; }
#found { position: absolute; inset-block-start: 100%; inset-inline-end: 0; margin: 0; inline-size: 1px; block-size: 1px; overflow: hidden; }
.columns { display: grid; grid-template-columns: 16rem minmax(0, 1fr); max-inline-size: 80rem; margin: auto; }
nav { padding: 16px 24px; border-inline-end: 1px solid var(--line); }
nav h2 { font-size: 0.875rem; margin: 16px 0 4px; color: var(--soft); }
nav h2::first-letter { text-transform: uppercase; }
nav summary { padding-block: 8px; font-weight: 600; cursor: pointer; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 4px 0; color: var(--ink); text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav [aria-current] { color: var(--accent); font-weight: 600; }
main { padding: 8px 32px 64px; }
h1, h2, h3 { line-height: 1.25; scroll-margin-block-start: 72px; overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; font-size: 0.875em; overflow-wrap: anywhere; }
:not(pre) > code { background: var(--sunken); border-radius: 4px; padding: 1px 4px; }
.code { position: relative; }
pre { overflow: auto; background: var(--sunken); border-radius: 8px; padding: 16px; padding-inline-end: 88px; }
pre code { overflow-wrap: normal; }
.code button { position: absolute; inset-block-start: 8px; inset-inline-end: 8px; }
.table { overflow: auto; }
table { border-collapse: collapse; }
th, td { text-align: start; vertical-align: top; padding: 6px 16px 6px 0; border-block-end: 1px solid var(--line); }
td code { overflow-wrap: normal; }
@media (max-width: 50rem) {
  .columns { display: block; }
  main { padding: 8px 16px 32px; }
  nav { padding: 0 16px; border-inline-end: 0; border-block-end: 1px solid var(--line); }
  nav a { padding-block: 8px; }
}
/* Beside the text the list is always open. */
@media (min-width: 50.01rem) {
  nav summary { display: none; }
  nav details::details-content { content-visibility: visible; block-size: auto; }
}
`

/** Search, theme and copy buttons. A page without scripts shows the guide and the navigation. */
const script = `const root = document.documentElement
const stored = localStorage.getItem('theme')
if (stored) root.dataset.theme = stored

// Browsers without ::details-content.
if (matchMedia('(min-width: 50.01rem)').matches) document.querySelector('nav details').open = true

const button = document.querySelector('#theme')
const isDark = () => (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
const name = () => { button.textContent = isDark() ? 'Light theme' : 'Dark theme' }
button.hidden = false
button.onclick = () => {
  root.dataset.theme = isDark() ? 'light' : 'dark'
  localStorage.setItem('theme', root.dataset.theme)
  name()
}
name()

for (const block of document.querySelectorAll('.code')) {
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.textContent = 'Copy'
  copy.onclick = async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent)
    copy.textContent = 'Copied'
  }
  block.append(copy)
}

const input = document.querySelector('#search')
const list = document.querySelector('#results')
const status = document.querySelector('#found')
let index
input.oninput = async () => {
  index ??= fetch('search.json').then((answer) => answer.json())
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean)
  const entries = await index
  const rank = ({ title }) => words.filter((word) => title.toLowerCase().includes(word)).length
  const found = words.length === 0 ? [] : entries
    .filter(({ title, text }) => words.every((word) => (title + ' ' + text).toLowerCase().includes(word)))
    .sort((one, other) => rank(other) - rank(one))
    .slice(0, 12)
  list.replaceChildren(...found.map(({ title, url }) => {
    const link = document.createElement('a')
    link.href = url
    link.textContent = title
    const item = document.createElement('li')
    item.append(link)
    return item
  }))
  list.hidden = found.length === 0
  status.textContent = words.length === 0 ? '' : found.length === 0 ? 'Nothing found' : found.length + ' results'
}
addEventListener('keydown', ({ key }) => { if (key === 'Escape') list.hidden = true })
`

/** The files of the documentation by name. */
export function documentation(): Map<string, string> {
  const all = readGuides()
  const index = all.find(({ name }) => name === 'index')!
  const ordered = [index, ...all.filter((guide) => guide !== index)]
  return new Map([
    ...all.map((guide) => [`${guide.name}.html`, pageFor(guide, index)] as const),
    ['docs.css', style],
    ['docs.js', script],
    ['search.json', JSON.stringify(ordered.flatMap(entriesOf))],
    ['llms.txt', listForModels(ordered)],
    ['llms-full.txt', ordered.map(({ markdown }) => markdown).join('\n\n')],
  ])
}

/** The list of guides in the form of llmstxt.org. */
const listForModels = (all: Guide[]): string => {
  const lines = all.slice(1).map(({ name, title, markdown }) => {
    const goal = /^Goal: ([^.]+)/m.exec(markdown)?.[1]?.replace(/\s+/g, ' ')
    return `- [${title}](${name}.html)${goal ? `: ${goal}` : ''}`
  })
  return `# Gatehouse\n\n> An account platform as one Cloudflare Worker. The package is gatehouse-auth.\n\n## Guides\n\n${lines.join('\n')}\n`
}

/** Writes the documentation into a folder, which it replaces. */
export function writeDocumentation(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of documentation()) writeFileSync(join(folder, name), text)
}
