import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { parseSync } from 'rolldown/experimental'
import { describe, expect, it } from 'vitest'
import { root } from '../scripts/tools.ts'

/**
 * Readers of the guides have the package, not the repository: what a guide or a message names must be in it.
 */
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
/** npm adds the last three. */
const packed = [
  ...manifest.files.map((file) => (file.startsWith('dist/') ? `${file}/**` : file)),
  'package.json',
  'README.md',
  'LICENSE',
]
const isPacked = (file: string) =>
  packed.some((pattern) => matchesGlob(file, pattern) || matchesGlob(join(file, 'x'), pattern))

/** The evidence of the ASVS table is for auditors, who read the source; the guide says so. */
const forAuditors = 'security.md'
const auditorsNote = 'are in the source of Gatehouse, which the package does not contain'

/** Paths of a repository, and its scripts other than those that `init` writes. */
const paths = /(?<![\w./-])((?:worker|client|migrations|dist)\/[\w.*/-]+|(?:\.\.\/)+[\w./-]+|\.dev\.vars\.example)/g
const scripts = /\bnpm (?:run (?!(?:dev|doctor|deploy|check)\b)[\w:]+|ci\b|test\b)/g

const foreignIn = (text: string): string[] => [
  ...[...text.matchAll(paths)]
    .map(([, path]) => path!)
    // The deployment of the reader.
    .filter((path) => !/^(?:\.\.\/)+(?:accounts\/)?src\/index$/.test(path))
    // A file of the reader's product, which the guide prints.
    .filter((path) => !text.includes(`\`\`\`ts ${path.replace(/^(?:\.\.\/)+/, '')}\n`))
    .filter((path) => !isPacked(path.startsWith('.') ? join('worker/guides', path) : path)),
  ...[...text.matchAll(scripts)].map(([command]) => command),
]

describe.each(globSync('worker/guides/*.md', { cwd: root }))('%s', (file) => {
  const text = readFileSync(join(root, file), 'utf8')
  it('names files and scripts of the package only', () => {
    if (file.endsWith(forAuditors)) expect(text).toContain(auditorsNote)
    else expect(foreignIn(text)).toEqual([])
  })
})

describe('README.md', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const [first = '', ...parts] = text.split(/^## /m)
  const sections = new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part]))

  it('has at most 120 lines, and its sections in the order of the questions of a stranger', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
    expect([...sections.keys()]).toEqual([
      ...['Try it', 'Beside others', 'How it is built', 'Numbers', 'Guides', 'Contribute', 'Security'],
    ])
    expect(first).toMatch(/^# Gatehouse\n\n.+\n\n- /)
  })

  it('begins to try it with the two commands of the repository, then the package, then npm', () => {
    const commands = [...sections.get('Try it')!.matchAll(/^ {4}(.+)$/gm)].map(([, command]) => command)
    expect(commands.slice(0, 3)).toEqual(['npm ci', 'npm run dev', 'npm pack'])
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    expect(text.match(/gatehouse-auth-[\d.]+\.tgz/g)).toEqual([`gatehouse-auth-${version}.tgz`])
    expect(sections.get('Try it')).toContain('**From the first release on npm**')
  })

  it('names files of the package, and scripts of the repository only where it is about the repository', () => {
    const others = [...sections].filter(([name]) => !['Try it', 'Numbers', 'Contribute', 'Security'].includes(name))
    expect([first, ...others.map(([, part]) => part)].flatMap(foreignIn)).toEqual([])
    const targets = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)|(?:src|srcset)="([^"]+)"/g)].map(
      ([, link, picture]) => (link ?? picture)!,
    )
    expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([])
    // Readers of the package find these two on the page of the repository.
    expect(targets.filter((target) => !isPacked(target))).toEqual(['.github/CONTRIBUTING.md', '.github/SECURITY.md'])
  })

  it('has a command for each number', () => {
    const rows = [...sections.get('Numbers')!.matchAll(/^\| (?!---|what)(.+) \| (.+) \| (.+) \|$/gm)]
    expect(rows.length).toBeGreaterThan(2)
    expect(rows.filter(([, , , command]) => !/^`npm run bench -- --only [\w-]+`$/.test(command!))).toEqual([])
  })
})

interface Node {
  type: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** The texts of a module without the names of its imports. */
function* textsIn(node: Node): Generator<string> {
  if (/^(?:Import|ExportAll|ExportNamed)/.test(node.type) && isNode(node.source)) return
  if (node.type === 'TSImportType') return
  if (node.type === 'Literal' && typeof node.value === 'string') yield node.value
  if (node.type === 'TemplateElement') yield String((node.value as { raw: string }).raw)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* textsIn(child)
  }
}

it('messages, log lines and generated texts name nothing of the repository', () => {
  const folders = '{cli,configuration,features,http,identity,kit,openapi,platform,rpc}'
  const files = globSync(`worker/${folders}/**/*.ts`, {
    cwd: root,
    exclude: ['**/*.test.ts', '**/*.e2e.ts', '**/*.cases.ts'],
  })
  const found = files.flatMap((file) => {
    const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'))
    return [...textsIn(program as unknown as Node)]
      .filter((text) =>
        /\bworker\/(?!guides\b|CHANGELOG)[\w.-]|\bnpm run (?!(?:dev|doctor|deploy|check)\b)|\b(?:config|rpc)\.ts\b/.test(
          text,
        ),
      )
      .map((text) => `${file}: ${text.slice(0, 120)}`)
  })
  expect(found).toEqual([])
})
