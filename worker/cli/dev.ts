import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineCommand } from './command.ts'
import { productFolder, productOrigin } from './product-template.ts'
import { wrangler, wranglerFile } from './wrangler.ts'

export const command = defineCommand({
  about: `Starts the deployment of this folder on this machine, and the product in ${productFolder}/ if it is a workspace. It
    applies the migrations to the local database first, and ends with the first of the two.`,
  options: {
    port: { type: 'string', default: '8787', value: '<number>', help: 'the port of the deployment' },
  },
  exitCodes: 'the one of the program that ended first',
  async run({ port }) {
    await wrangler(['d1', 'migrations', 'apply', 'DB', '--local'])
    const url = `http://localhost:${port}`
    const env = { ...process.env, GATEHOUSE_URL: process.env.GATEHOUSE_URL ?? url }
    const children = [start(process.execPath, [wranglerFile(), 'dev', '--port', port], env)]
    const stop = () => children.forEach(end)
    process.once('exit', stop)
    // One after the other: two wranglers that start together may choose the same free port for their own connections.
    if (hasProduct() && (await answers(`${url}/api/auth/ok`, children[0]!))) {
      children.push(start('npm', ['run', 'dev', '--workspace', productFolder], env))
      console.log(`Accounts: ${url}\nProduct: ${productOrigin}`)
    }
    const code = await Promise.race(children.map(exitOf))
    stop()
    await Promise.all(children.map(exitOf))
    process.off('exit', stop)
    return code
  },
})

/** In a process group of its own, because npm leaves the programs behind that it has started. */
const start = (file: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess =>
  // npm is a script on Windows, which has no groups.
  spawn(
    file,
    args,
    isWindows ? { stdio: 'inherit', env, shell: file === 'npm' } : { stdio: 'inherit', env, detached: true },
  )

const isWindows = process.platform === 'win32'

/** Ends a program with those that it has started. */
function end({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined) return
  if (isWindows) {
    if (exitCode === null) spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'])
    return
  }
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // All have ended.
  }
}

/** Waits until an address answers; false if the program ends before. */
async function answers(url: string, child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    if (await fetch(url, { method: 'HEAD' }).catch(() => null)) return true
    await sleep(200)
  }
  return false
}

const exitOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode ?? 1)
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1))
  })

function hasProduct(): boolean {
  if (!existsSync('package.json')) return false
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8')) as { workspaces?: unknown }
  return Array.isArray(workspaces) && workspaces.includes(productFolder)
}
