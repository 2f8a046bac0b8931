import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guideGroupsOf } from '../cli/mcp/guides.ts'
import {
  addressOfSection,
  anchorOf,
  folder,
  groups,
  markdownFiles,
  optionsIndex,
  optionsPages,
  sections,
} from './guides.ts'

const links = groups().flatMap(({ links }) => links)
const files = markdownFiles()
const pages = new Set(files.values())
const textOf = (name: string) => readFileSync(files.get(name)!, 'utf8')

/** The anchors of a page: its headings, numbered where they repeat. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) =>
    anchorOf(title!),
  )
  return new Set(
    headings.map((anchor, at) => {
      const before = headings.slice(0, at).filter((other) => other === anchor).length
      return before === 0 ? anchor : `${anchor}-${before}`
    }),
  )
}

describe('the sidebar', () => {
  it('has every guide once, with a description of at most 100 characters', () => {
    const guides = globSync('*.md', { cwd: folder }).map((file) => basename(file, '.md'))
    expect(links.map(({ name }) => name).sort()).toEqual(guides.filter((name) => name !== 'README').sort())
    expect(links.filter(({ description }) => description.length < 8 || description.length > 100)).toEqual([])
  })

  it('has the groups of the list of guides, in its order', () => {
    const list =
      '# Guides\n\nText.\n\n| ways to sign in | |\n|---|---|\n| [Two](two.md) | second |\n| [One](one.md) | first |\n'
    expect(guideGroupsOf(list)).toEqual([
      {
        text: 'Ways to sign in',
        links: [
          { name: 'two', text: 'Two', description: 'second' },
          { name: 'one', text: 'One', description: 'first' },
        ],
      },
    ])
  })
})

describe.each([...files])('%s', (_name, file) => {
  it('links to pages and pictures of the site, which the package also has, and to their sections', () => {
    const text = readFileSync(file, 'utf8')
    const targets = [...text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]*)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^[a-z]+:/.test(target))
    const missing = targets.filter((target) => {
      const [path = '', anchor] = target.split('#')
      const other = path === '' ? file : join(dirname(file), path)
      if (!existsSync(other) || !(other.endsWith('.svg') || pages.has(other))) return true
      return anchor !== undefined && !anchorsOf(readFileSync(other, 'utf8')).has(anchor)
    })
    expect(missing).toEqual([])
  })

  it('has one title', () => {
    const text = readFileSync(file, 'utf8').replace(/```[\s\S]*?```/g, '')
    expect(text.match(/^# .+$/gm)).toHaveLength(1)
  })
})

it('each section that the search finds has an address on its page', () => {
  const missing = sections().filter(({ guide, url }) => {
    const [, anchor] = url.split('#')
    return anchor !== undefined && !anchorsOf(textOf(guide)).has(anchor)
  })
  expect(missing.map(({ url }) => url)).toEqual([])
})

describe('the options on the site', () => {
  it('have each setting on one page, and each section of the guide on the index', () => {
    const settings = (text: string) => [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, path]) => path)
    const pages = optionsPages()
    expect(pages.flatMap(({ text }) => settings(text))).toEqual(settings(textOf('options')))
    expect(settings(optionsIndex())).toEqual([])
    expect(anchorsOf(optionsIndex())).toEqual(anchorsOf(textOf('options')))
    expect(optionsIndex()).toMatch(/^## session\n\n\[\d+ settings\]\(options-session\.md\)$/m)
    expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length)
  })

  it('are where links to sections of the guide and results of the search lead', () => {
    const names = new Set(optionsPages().map(({ name }) => name))
    const linked = [...files.values()].flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\]\((?:\.\.\/)?(?:guides\/)?options\.md#([\w-]+)\)/g),
    ])
    const addresses = linked.map(([, anchor]) => addressOfSection('options', anchor!))
    expect(addresses.filter((name) => !names.has(name))).toEqual([])
    const found = sections().filter(({ guide, title, heading }) => guide === 'options' && heading !== title)
    expect(found.map(({ url }) => url.replace('/docs/', ''))).toEqual([...names])
  })
})

describe.each(globSync('pictures/*.svg', { cwd: folder }))('%s', (file) => {
  const text = readFileSync(join(folder, file), 'utf8')

  it('is described, and loads nothing', () => {
    expect(text).toMatch(/^<svg [^>]*viewBox="[\d ]+" role="img">\n {2}<title>[^<]+<\/title>\n {2}<desc>[^<]+<\/desc>/)
    expect(text).not.toMatch(/<script|<image|<use|href|@import|url\((?!#)|\son\w+=/)
  })

  it('is in a guide or in the README, with a text for it', () => {
    const readme = readFileSync(join(folder, '../../README.md'), 'utf8')
    const light = file.replace('-dark.svg', '-light.svg')
    const inGuide = [...files.keys()].some((name) => new RegExp(`!\\[[^\\]]{20,}\\]\\(${light}\\)`).test(textOf(name)))
    expect(inGuide || readme.includes(`worker/guides/${file}`)).toBe(true)
  })

  it('has a dark form: of its own, or in a file that differs in colors only', () => {
    const withoutColors = (svg: string) => svg.replace(/#[0-9a-f]{6}/g, '#')
    if (!/-(?:light|dark)\.svg$/.test(file)) return expect(text).toContain('@media (prefers-color-scheme:dark)')
    const other = readFileSync(
      join(
        folder,
        file.replace(/(light|dark)(?=\.svg)/, (theme) => (theme === 'light' ? 'dark' : 'light')),
      ),
      'utf8',
    )
    expect(withoutColors(text)).toBe(withoutColors(other))
    expect(text).not.toBe(other)
  })
})
