// The documentation site: the guides of the package as pages (decision 410).

import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import { defineConfig, type MarkdownRenderer } from 'vitepress'
import { indexOptions } from '../../cli/mcp/guide-index.ts'
import {
  addressOfSection,
  anchorOf,
  base,
  built,
  groups,
  hashOfSources,
  listForModels,
  markdownFiles,
  optionsIndex,
  optionsPages,
  others,
  sections,
  stampFile,
} from '../guides.ts'

const worker = join(import.meta.dirname, '../..')
const list = groups()
const descriptions = new Map([
  ...list.flatMap(({ links }) => links).map(({ name, description }) => [name, description] as const),
  ...Object.entries(others).map(([name, { description }]) => [name, description] as const),
])
const sources = hashOfSources()
const optionsItems = optionsPages().map(({ name, title }) => ({ text: title, link: `/${name}` }))

/** A file for each inline script, which the Content-Security-Policy refuses. */
function withoutInlineScripts(html: string, outDir: string): string {
  return html.replace(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g, (_, code: string) => {
    const name = `assets/head.${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`
    mkdirSync(join(outDir, 'assets'), { recursive: true })
    writeFileSync(join(outDir, name), code)
    return `<script src="${base}${name}"></script>`
  })
}

/** The search of the MCP server: the same sections, in the same order. */
const search = {
  name: 'search-of-the-guides',
  enforce: 'pre' as const,
  resolveId(id: string, importer?: string) {
    if (id.startsWith('@localSearchIndex')) return `\0${id}`
    // The box loads the index with options that cannot contain functions.
    if (id === 'minisearch' && importer?.includes('VPLocalSearchBox')) return join(import.meta.dirname, 'minisearch.ts')
  },
  load(id: string) {
    if (id === '\0@localSearchIndex') return "export default { root: () => import('@localSearchIndex/root') }"
    if (id !== '\0@localSearchIndex/root') return
    const index = new MiniSearch(indexOptions)
    index.addAll(sections().map(({ url: id, ...section }) => ({ id, ...section })))
    return `export default ${JSON.stringify(JSON.stringify(index))}`
  },
}

/** In the theme the box is a button that contains buttons, and an option of its list is a link in an element. */
const accessibleSearch = {
  name: 'accessible-search',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!id.endsWith('VPLocalSearchBox.vue')) return
    const changes: [before: RegExp, after: string][] = [
      [
        /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"\s+aria-labelledby="localsearch-label"/,
        'role="dialog" aria-modal="true" aria-label="Search"',
      ],
      [
        /:id="('localsearch-item-' \+ index)"\s+:aria-selected="([^"]*)"\s+role="option"\s*>\s*<a/,
        'role="presentation"><a role="option" :id="$1" :aria-selected="$2"',
      ],
      [/:aria-label="\[\.\.\.p\.titles, p\.title\][^"]*"/, ''],
      [/<kbd :aria-label/g, '<kbd role="img" :aria-label'],
    ]
    return changes.reduce((text, [before, after]) => {
      const changed = text.replace(before, after)
      if (changed === text) throw new Error(`The search box of the theme has changed: ${before}`)
      return changed
    }, code)
  },
}

/** The guide to all options is an index of pages here. */
const indexOfOptions = {
  name: 'index-of-options',
  enforce: 'pre' as const,
  transform: (_: string, id: string) => (id.endsWith('/guides/options.md') ? optionsIndex() : undefined),
}

const commands = /^(?:npm|npx|node|curl|git|cp|mkdir|export) /

function markdown(md: MarkdownRenderer): void {
  md.core.ruler.push('guides', ({ tokens, env }) => {
    for (const [at, token] of tokens.entries()) {
      // A block without a language has the copy button too.
      if (token.type === 'code_block') {
        Object.assign(token, { type: 'fence', tag: 'code', info: commands.test(token.content) ? 'sh' : 'text' })
      }
      // A table that is wider than a phone scrolls, also by the keyboard.
      if (token.type === 'table_open') token.attrSet('tabindex', '0')
      // A column without a heading.
      if (token.type === 'th_open' && tokens[at + 1]!.content === '') token.tag = tokens[at + 2]!.tag = 'td'
      for (const link of token.children ?? []) {
        const target = link.type === 'link_open' ? link.attrGet('href') : null
        if (target) link.attrSet('href', addressOf(target, env.relativePath))
      }
    }
  })
  // Double braces in a guide are text, not expressions of the site's templates.
  for (const rule of ['text', 'code_inline'] as const) {
    const render = md.renderer.rules[rule]!
    md.renderer.rules[rule] = (...given) => render(...given).replaceAll('{{', '&#123;&#123;')
  }
  // A picture with a file for each theme: README.md names both, a guide the light one.
  const image = md.renderer.rules.image!
  md.renderer.rules.image = (tokens, at, ...rest) => {
    const token = tokens[at]!
    const source = token.attrGet('src')!
    if (!source.endsWith('-light.svg')) return image(tokens, at, ...rest)
    return ['light', 'dark']
      .map((theme) => {
        token.attrSet('src', source.replace('-light.svg', `-${theme}.svg`))
        token.attrSet('class', `in-${theme}`)
        return image(tokens, at, ...rest)
      })
      .join('')
  }
  const fence = md.renderer.rules.fence!
  md.renderer.rules.fence = (tokens, at, ...rest) => {
    const file = /^\w+ ([\w./-]+\.\w+)$/.exec(tokens[at]!.info)?.[1]
    const code = fence(tokens, at, ...rest)
    return file ? `<div class="file"><code>${md.utils.escapeHtml(file)}</code></div>${code}` : code
  }
}

/** Links of the guides are relative to the folders of the package; the site has one folder. */
function addressOf(target: string, page: string): string {
  const [path = '', hash] = target.split('#')
  const other = Object.entries(others).find(([, { file }]) => path === `../${file}`)?.[0]
  const name =
    other ??
    (page.startsWith('guides/') || page.startsWith('options-') || page === 'index.md'
      ? path
      : path.replace(/^guides\//, ''))
  if (!/^[\w-]+(?:\.md)?$/.test(name)) return target
  const bare = name.replace(/\.md$/, '')
  if (hash !== undefined) return `/${addressOfSection(bare === 'README' ? '' : bare, hash)}`
  return `/${bare === 'README' ? '' : bare}`
}

export default defineConfig({
  title: 'Gatehouse',
  titleTemplate: ':title - Gatehouse',
  description: 'The account platform that a product puts in front of itself: one Cloudflare Worker.',
  lang: 'en',
  base,
  cleanUrls: true,
  srcDir: worker,
  // The folder of the Worker has other documents and other files named config.ts.
  srcExclude: readdirSync(worker, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'guides' && entry.name !== 'docs')
    .map(({ name }) => `${name}/**`)
    .concat('README.md'),
  additionalConfig: {},
  rewrites: {
    'guides/README.md': 'index.md',
    'guides/:page.md': ':page.md',
    'docs/:page.md': ':page.md',
    'CHANGELOG.md': 'changelog.md',
  },
  outDir: built,
  cacheDir: join(worker, '../dist/docs-cache'),
  // Addresses of the reader's own deployment.
  ignoreDeadLinks: 'localhostLinks',
  metaChunk: true,
  // Its default writes a style element at each change, with transitions off.
  appearance: { disableTransition: false },
  head: [
    ['link', { rel: 'icon', href: `${base}favicon.svg`, type: 'image/svg+xml' }],
    [
      'noscript',
      {},
      '<style>.VPLocalNav,.VPNavBarSearch,.VPNavBarAppearance,.VPNavBarHamburger,button.copy{display:none!important}@media(max-width:959px){.Layout{display:flex!important;flex-direction:column}.VPSidebar{order:1;position:static!important;visibility:visible!important;opacity:1!important;transform:none!important;width:auto!important;max-width:none!important}}</style>',
    ],
  ],
  markdown: {
    // A guide contains no HTML: what looks like it is text.
    html: false,
    anchor: { slugify: anchorOf },
    headers: { slugify: anchorOf },
    config: markdown,
  },
  themeConfig: {
    logo: '/favicon.svg',
    nav: [
      { text: 'Guides', link: '/' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: [
      ...list.map(({ text, links }) => ({
        text,
        items: links.map(({ text, name }) => ({
          text,
          link: `/${name}`,
          ...(name === 'options' ? { collapsed: true, items: optionsItems } : {}),
        })),
      })),
      {
        text: 'Versions',
        items: Object.entries(others).map(([name, { title }]) => ({ text: title, link: `/${name}` })),
      },
    ],
    outline: { level: [2, 3], label: 'On this page' },
    docFooter: { prev: 'Previous', next: 'Next' },
    search: { provider: 'local' },
    externalLinkIcon: true,
  },
  transformPageData(page) {
    const name = page.relativePath.replace(/\.md$/, '')
    const description = descriptions.get(name) ?? (page.params?.name ? `the options of ${page.params.name}` : undefined)
    if (description) page.description = description
  },
  transformHead: ({ page }) => [
    ['link', { rel: 'alternate', type: 'text/markdown', href: base + page.replace(/\.md$/, '.md') }],
  ],
  transformHtml: (html, _id, { siteConfig }) => withoutInlineScripts(html, siteConfig.outDir),
  buildEnd({ outDir }) {
    const files = markdownFiles()
    for (const [name, file] of files) copyFileSync(file, join(outDir, `${name}.md`))
    for (const { name, text } of optionsPages()) writeFileSync(join(outDir, `${name}.md`), text)
    writeFileSync(join(outDir, 'llms.txt'), listForModels())
    const whole = list.flatMap(({ links }) => links).map(({ name }) => readFileSync(files.get(name)!, 'utf8'))
    writeFileSync(join(outDir, 'llms-full.txt'), whole.join('\n\n'))
    copyFileSync(join(worker, '../client/public/favicon.svg'), join(outDir, 'favicon.svg'))
    writeFileSync(join(outDir, stampFile), sources)
  },
  vite: {
    publicDir: false,
    plugins: [search, accessibleSearch, indexOfOptions],
    build: { chunkSizeWarningLimit: 2000 },
  },
})
