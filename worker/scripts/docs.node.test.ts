import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { anchorOf, documentation } from './docs.ts'
import { root } from './tools.ts'

const files = documentation()
const pages = [...files].filter(([name]) => name.endsWith('.html'))

describe('the documentation', () => {
  it('has a page for each guide', () => {
    const guides = globSync('worker/guides/*.md', { cwd: root }).map((file) =>
      file.replace(/^.*\/(.*)\.md$/, '$1.html'),
    )
    expect(pages.map(([name]) => name).sort()).toEqual(guides.map((name) => name.replace('README', 'index')).sort())
  })

  it.each(pages)('%s: has existing links, unique anchors and one current place', (name, html) => {
    const links = [...html.matchAll(/href="([^"]+)"/g)]
      .map(([, link]) => link!)
      .filter((link) => !/^https?:/.test(link))
    const missing = links.filter((link) => {
      const [file, anchor] = link.split('#')
      const target = file === '' ? html : files.get(file!)
      return target === undefined || (anchor !== undefined && !target.includes(`id="${anchor}"`))
    })
    expect(missing).toEqual([])
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    expect(html.match(/aria-current="page"/g)?.length ?? 0).toBe(name === 'index.html' ? 0 : 1)
  })

  it('prints code as it is, also what looks like HTML', () => {
    expect(files.get('single-page-app.html')).toContain(
      '&lt;button id=&quot;sign-out&quot; type=&quot;button&quot;&gt;',
    )
    expect(files.get('social-sign-in.html')).not.toMatch(/<script(?! type="module" src="docs.js")/)
  })

  it('has an index that finds a word, with the section', () => {
    const entries: { title: string; url: string; text: string }[] = JSON.parse(files.get('search.json')!)
    const found = entries.filter(({ text }) => text.includes('privaterelay.appleid.com'))
    expect(found).toMatchObject([{ title: 'Social sign-in: Apple', url: `social-sign-in.html#${anchorOf('Apple')}` }])
    expect(entries.find(({ url }) => url === 'troubleshooting.html#invalid_origin')?.text).toContain('trustedOrigins')
  })

  it('has a list and the whole text for models', () => {
    expect(files.get('llms.txt')).toMatch(/^# Gatehouse\n\n> /)
    expect(files.get('llms.txt')).toContain('[Passkeys](passkeys.html): users sign in with a passkey')
    const titles = [...files.get('llms-full.txt')!.matchAll(/^# .+$/gm)]
    expect(titles.length).toBeGreaterThanOrEqual(pages.length)
  })
})
