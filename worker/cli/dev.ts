import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
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
    const children = [spawn(process.execPath, [wranglerFile(), 'dev', '--port', port], { stdio: 'inherit' })]
    if (hasProduct()) {
      // A shell, because npm is a script on Windows.
      const dev = `npm run dev --workspace ${productFolder}`
      children.push(spawn(dev, { stdio: 'inherit', shell: true, env }))
      console.log(`Accounts: ${url}\nProduct: ${productOrigin}`)
    }
    const stop = () => {
      for (const child of children) child.kill()
    }
    process.once('exit', stop)
    const code = await Promise.race(children.map(exitOf))
    stop()
    return code
  },
})

const exitOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1))
  })

function hasProduct(): boolean {
  if (!existsSync('package.json')) return false
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8')) as { workspaces?: unknown }
  return Array.isArray(workspaces) && workspaces.includes(productFolder)
}
