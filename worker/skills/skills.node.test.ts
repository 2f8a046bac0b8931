import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from '../scripts/tools.ts'

const skills = globSync('worker/skills/*/SKILL.md', { cwd: root })
  .sort()
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

const program = readFileSync(join(root, 'worker/cli/gatehouse.ts'), 'utf8')
/** The commands of worker/cli/gatehouse.ts by name. */
const modules = new Map(
  [...program.matchAll(/^ {2}(\w+): \[.*import\('\.\/(.+)'\)\]/gm)].map(([, name, file]) => [name!, file!]),
)
const commands = new Map<string, CommandUnknownOpts>()
beforeAll(async () => {
  for (const [name, file] of modules) commands.set(name, (await import(join(root, 'worker/cli', file))).command)
})

const commandsOf = (text: string) =>
  [...text.matchAll(/^ {4,}(npx .+|npm .+)$|`((?:npx|npm) [^`\n]+)`/gm)].map(([, line, inline]) => line ?? inline!)

const inGuides = new Set(
  globSync('worker/guides/*.md', { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...commandsOf(text), ...[...text.matchAll(/^(?:npx|npm) .+$/gm)].map(([line]) => line)]
  }),
)

it('there is a skill for each task', () => {
  expect(skills.map(({ file }) => file.split('/')[2])).toEqual([
    'add-a-provider',
    'integrate',
    'migrate-from-better-auth',
    'write-a-hook',
  ])
  expect([...modules.keys()]).toContain('mcp')
})

describe.each(skills)('$file', ({ file, text }) => {
  it('has a name, a description, steps and checks', () => {
    const [, name, description] = /^---\nname: (.+)\ndescription: (.+)\n---\n\n# /.exec(text) ?? []
    expect(name).toBe(file.split('/')[2])
    expect(description!.length).toBeLessThan(400)
    expect(description).toContain('Use it ')
    expect(text).toMatch(/\n## Steps\n\n1\. /)
    expect(text).toMatch(/\n## Checks\n\n- /)
  })

  it('prints commands that a guide prints, or that the command line has with these options', () => {
    for (const line of commandsOf(text)) {
      if (inGuides.has(line)) continue
      const [, tool, name = '', ...words] = line.split(' ')
      expect({ line, tool, known: commands.has(name) }).toEqual({ line, tool: 'gatehouse-auth', known: true })
      const known = commands.get(name)!.options.map(({ long }) => long)
      const unknown = words.filter((word) => word.startsWith('--') && !known.includes(word))
      expect({ line, unknown }).toEqual({ line, unknown: [] })
    }
  })

  it('names hooks that exist', () => {
    const hooks = readFileSync(join(root, 'worker/guides/customise-hooks.md'), 'utf8')
    const named = [...text.matchAll(/`((?:creating|updating|deleting)\w+|\w+(?:ing|Created|Issued|Added))`/g)]
    expect(named.map(([, name]) => name!).filter((name) => !hooks.includes(name))).toEqual([])
  })
})
