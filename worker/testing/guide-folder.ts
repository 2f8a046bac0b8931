import { execFile } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quietEnvironment, root } from '../scripts/tools.ts'
import { cliProgram } from './cli-program.ts'

const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')

/** A product's folder for the printed commands of the guides. */
export class GuideFolder {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-guide-'))

  constructor() {
    copyFileSync(join(root, 'wrangler.toml'), join(this.folder, 'wrangler.toml'))
    for (const name of ['node_modules', 'worker', 'client', 'dist', 'package.json', 'tsconfig.json']) {
      symlinkSync(join(root, name), join(this.folder, name))
    }
    // In one file, because each call of wrangler takes half a second.
    const names = readdirSync(join(root, 'migrations')).filter((name) => name.endsWith('.sql'))
    const all = names.sort().map((name) => readFileSync(join(root, 'migrations', name), 'utf8'))
    mkdirSync(join(this.folder, 'migrations'))
    this.write('migrations/0000_all.sql', all.join('\n'))
  }

  path = (name: string) => join(this.folder, name)
  read = (name: string) => readFileSync(this.path(name), 'utf8')
  write = (name: string, text: string) => writeFileSync(this.path(name), text)

  /** Runs a printed command as a shell, with installed programs for `npx`. @param variables replace `$NAME` */
  async run(line: string, variables: Record<string, string> = {}): Promise<{ code: number; said: string }> {
    const [tool, ...words] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
    const given = words.map((word) => (word.startsWith('$') ? (variables[word.slice(1)] ?? word) : word))
    const name = tool === 'npx' ? given.shift() : undefined
    const program = name === 'gatehouse-auth' ? await cliProgram() : name === 'wrangler' ? wrangler : undefined
    if (!program && tool !== 'node') throw new Error(`not a command of a guide: ${line}`)
    const args = program ? [program, ...given] : given
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        args,
        { cwd: this.folder, env: { ...quietEnvironment, ...variables } },
        (error, out, errors) => resolve({ code: error ? Number(error.code) : 0, said: out + errors }),
      )
    })
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
