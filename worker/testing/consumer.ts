import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { end, quietEnvironment, root } from '../scripts/tools.ts'

const execute = promisify(execFile)

/** The printed code of a guide: the block that begins with "```<info>". */
export function printedIn(guide: string, info: string): string {
  const text = readFileSync(join(root, 'worker/guides', guide), 'utf8')
  const [, code] = new RegExp(`^\`\`\`${info.replace('.', '\\.')}\n([\\s\\S]+?)^\`\`\``, 'm').exec(text) ?? []
  if (!code) throw new Error(`${guide} prints no ${info}`)
  return code
}

/** Packs the result of `npm run package` into a folder. @returns the tarball */
export async function pack(folder: string): Promise<string> {
  if (!existsSync(join(root, 'dist/package/index.d.ts'))) throw new Error('first: npm run package')
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const { stdout } = await execute('npm', args, { cwd: root, shell: process.platform === 'win32', maxBuffer: 1e7 })
  const [packed] = JSON.parse(stdout) as { filename: string }[]
  return join(folder, packed!.filename)
}

export const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')

/** An empty folder of a developer who builds on Gatehouse, with the commands in it. Commands download nothing. */
export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-consumer-'))
  private readonly running: ChildProcess[] = []
  /** Local Workers find each other here, but not those of another run. */
  private readonly env = { ...quietEnvironment, WRANGLER_REGISTRY_PATH: join(this.folder, 'registry') }

  path = (...names: string[]) => join(this.folder, ...names)
  read = (name: string) => readFileSync(this.path(name), 'utf8')

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), text)
  }

  /** Packs the result of `npm run package` and installs the tarball. */
  async installPackage(): Promise<void> {
    const quietly = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
    await this.npm(['install', ...quietly, await pack(this.folder)], this.folder)
  }

  /** The path of the installed tarball. */
  tarball = () => this.path(readdirSync(this.folder).find((name) => name.endsWith('.tgz'))!)

  /** What npm packs after `npm run package`. */
  async packed(): Promise<{ unpackedSize: number; files: { path: string; size: number }[] }[]> {
    return JSON.parse((await this.npm(['pack', '--ignore-scripts', '--dry-run', '--json'], root)).stdout)
  }

  /** Runs a line of a guide or of README.md with npx, in a folder. The packed tarball replaces the one that the line names. */
  async npx(line: string, folder: string): Promise<string> {
    const words = line.replace(/(?<=--package=)\S+/, this.tarball()).split(' ')
    if (words.shift() !== 'npx') throw new Error(`not a line of npx: ${line}`)
    mkdirSync(this.path(folder), { recursive: true })
    const shell = process.platform === 'win32'
    return (await execute('npx', ['--offline', ...words], { cwd: this.path(folder), env: this.env, shell })).stdout
  }

  private npm(args: string[], cwd: string) {
    return execute('npm', args, { cwd, env: this.env, shell: process.platform === 'win32', maxBuffer: 1e7 })
  }

  /** Provides a package of this repository in place of its download. */
  borrow(...packages: string[]): void {
    this.borrowFrom('.', ...packages)
  }

  /** The same from another folder of the repository; it replaces an earlier one. */
  borrowFrom(folder: string, ...packages: string[]): void {
    for (const name of packages) {
      const target = this.path('node_modules', name)
      mkdirSync(dirname(target), { recursive: true })
      rmSync(target, { recursive: true, force: true })
      symlinkSync(join(root, folder, 'node_modules', name), target)
    }
  }

  /** Runs a JavaScript file to its end. @returns its output; its errors are in the exception */
  async run(file: string, args: string[], cwd = this.folder): Promise<string> {
    const { stdout } = await execute(process.execPath, [file, ...args], { cwd, env: this.env }).catch((failure) => {
      throw new Error(`${file} ${args.join(' ')}\n${failure.stdout}${failure.stderr}`)
    })
    return stdout
  }

  /** Starts a persistent process and waits until its address responds. */
  async start(file: string, args: string[], url: string, cwd = this.folder): Promise<void> {
    let said = ''
    const child = spawn(process.execPath, [file, ...args], { cwd, env: this.env })
    this.running.push(child)
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    }
    const failed = new Promise<never>((_, reject) => {
      const fail = () => reject(new Error(`${file} does not answer at ${url}\n${said}`))
      child.once('exit', fail)
      setTimeout(fail, 180_000).unref()
    })
    const answers = vi.waitFor(() => fetch(url, { redirect: 'manual' }), { timeout: 180_000, interval: 100 })
    for (const one of [failed, answers]) one.catch(() => undefined)
    await Promise.race([answers, failed])
  }

  /**
   * Starts a Worker with wrangler and waits until a path responds.
   * @param args of `wrangler dev`
   * @param origin whose port it gets. The system chooses the debugger's port: wrangler looks for a free one before
   *   it starts the runtime, and two processes could find the same.
   */
  startWorker(args: string[], origin: string, path = '/', cwd = this.folder): Promise<void> {
    const all = ['dev', ...args, '--port', new URL(origin).port, '--inspector-port', '0', '--log-level', 'warn']
    return this.start(wrangler, all, origin + path, cwd)
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map(end))
    rmSync(this.folder, { recursive: true, force: true })
  }
}
