import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, unwatchFile, watchFile } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { Command } from '@commander-js/extra-typings'
import { CliError } from './cli-error.ts'
import { wholeNumber } from './command.ts'
import { repeatCron } from './cron.ts'
import { type Check, printed, problem } from './doctor/check.ts'
import { fileChecks, variableChecks, wranglerChecks } from './doctor/file-checks.ts'
import { keepErrorLog } from './error-log.ts'
import { readManifest, workspacesOf } from './manifest.ts'
import { productFolder, productOrigin } from './product-template.ts'
import { wrangler, wranglerFile } from './wrangler.ts'
import { fileNames, hasWranglerConfig, readWranglerConfig } from './wrangler-config.ts'

export const command = new Command('dev')
  .description(`Starts the deployment of this folder on this machine, and the product in ${productFolder}/ if it is a workspace. It
    checks the files, applies the migrations to the local database, runs the cron trigger each minute, and keeps the errors of
    requests for \`gatehouse-auth explain\`. It ends with the first program that ends, but with problems in the files it waits for
    their correction.`)
  .option('--port <number>', 'the port of the deployment', wholeNumber(1, 65_535), 8787)
  .addHelpText('after', '\nExit code: the one of the program that ended first.')
  .action(async ({ port }) => {
    // Otherwise the folder has no deployment.
    if (!hasWranglerConfig()) readWranglerConfig()
    const log = await keepErrorLog()
    process.exitCode = await serveUntilCorrect(String(port), log.url).finally(log.stop)
  })

/** Serves again after each change of files that have problems. @returns the exit code of the first program that ends */
async function serveUntilCorrect(port: string, errorLog: string): Promise<number> {
  for (;;) {
    const watched = watchFiles()
    try {
      const found = report(problemsOfFiles())
      const code = await serve(port, errorLog).catch((thrown) => {
        if (!(thrown instanceof CliError) || found.length === 0) throw thrown
        console.error(`\n${thrown.message}`)
        return 1
      })
      if (code === 0 || problemsOfFiles().length === 0) return code
      console.error('\nThe server starts again when the files have changed. Stop: Ctrl-C.')
      await watched.changed
      console.log('\nThe files have changed: starting again ...')
    } finally {
      watched.stop()
    }
  }
}

/** Applies the migrations and starts the programs. @returns the exit code of the first one that ends */
async function serve(port: string, errorLog: string): Promise<number> {
  await wrangler(['d1', 'migrations', 'apply', 'DB', '--local'])
  const url = `http://localhost:${port}`
  const env = { ...process.env, GATEHOUSE_URL: process.env.GATEHOUSE_URL ?? url }
  const product = productArguments(env.GATEHOUSE_URL)
  const deployment = start(
    process.execPath,
    [wranglerFile(), 'dev', '--port', port, '--var', `ERROR_LOG:${errorLog}`],
    coloured(env),
    'pipe',
  )
  for (const [from, to] of [
    [deployment.stdout, process.stdout],
    [deployment.stderr, process.stderr],
  ] as const) {
    const isNeeded = neededLines()
    createInterface({ input: from! }).on('line', (line) => isNeeded(line) && to.write(`${line}\n`))
  }
  const children = [deployment]
  const stop = () => children.forEach(end)
  let stopCron = () => {}
  process.once('exit', stop)
  // One after the other: two wranglers that start together may choose the same free port for their own connections.
  if (await answers(`${url}/api/auth/ok`, deployment)) {
    // The local runtime has no cron timer.
    stopCron = repeatCron(url)
    if (product) {
      children.push(start('npm', product, env))
      console.log(`Accounts: ${url}\nProduct: ${productOrigin}`)
    }
  }
  const code = await Promise.race(children.map(exitOf))
  stopCron()
  stop()
  await Promise.all(children.map(exitOf))
  process.off('exit', stop)
  return code
}

/** The problems of the files, without a process of wrangler. A file that cannot be read is one of them. */
function problemsOfFiles(): Check[] {
  if (!hasWranglerConfig()) {
    return [problem('configuration file', 'does not exist', 'npx gatehouse-auth init writes it')]
  }
  try {
    const file = readWranglerConfig()
    return [...wranglerChecks(file), ...fileChecks(file), ...variableChecks()].filter(
      ({ state }) => state === 'problem',
    )
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown
    return [problem('configuration file', thrown.message, thrown.next)]
  }
}

function report(problems: Check[]): Check[] {
  if (problems.length > 0) console.error(`${problems.map(printed).join('\n')}\n`)
  return problems
}

/** Prints the problems after each change of the files that the checks read. */
function watchFiles(): { changed: Promise<void>; stop(): void } {
  const entries = fileNames.filter((name) => existsSync(name)).map(entryOf)
  const paths = [...fileNames, '.dev.vars', ...entries, 'node_modules/gatehouse-auth/package.json']
  let change = () => {}
  const changed = new Promise<void>((resolve) => {
    change = resolve
  })
  let latest = ''
  const listener = () => {
    change()
    const problems = problemsOfFiles()
    const text = problems.map(printed).join('\n')
    if (text !== latest) report(problems)
    latest = text
  }
  // It polls, so that it also notices files that do not exist yet.
  for (const path of paths) watchFile(path, { interval: 500 }, listener)
  return {
    changed,
    stop() {
      for (const path of paths) unwatchFile(path, listener)
    },
  }
}

function entryOf(name: string): string {
  try {
    return String(readWranglerConfig(name).values.main ?? 'src/index.ts')
  } catch {
    return 'src/index.ts'
  }
}

/** A pipe would turn the colours off. */
const coloured = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  process.stdout.isTTY && !env.NO_COLOR ? { FORCE_COLOR: '1', ...env } : env

/**
 * What wrangler prints, and a developer cannot use: the 150 modules of the package, and that cron triggers have to be run by
 * hand, which this command does. By the first line and those that follow it.
 */
const unneeded: readonly (readonly [first: RegExp, following: RegExp])[] = [
  [/^Attaching additional modules:/, /^[┌│├└]/],
  [
    /Scheduled Workers are not automatically triggered/,
    /^\s*$|^\s*To manually trigger a scheduled event|^\s*curl "|^\s*For more details, see .*cron-triggers/,
  ],
]

/** @returns whether to print a line; it is called for each line in turn */
export function neededLines(): (line: string) => boolean {
  let following: RegExp | undefined
  return (line) => {
    const text = stripVTControlCharacters(line)
    if (following?.test(text)) return false
    following = unneeded.find(([first]) => first.test(text))?.[1]
    return !following
  }
}

/** In a process group of its own, because npm leaves the programs behind that it has started. */
function start(
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  out: 'pipe' | 'inherit' = 'inherit',
): ChildProcess {
  const stdio = ['inherit', out, out] as const
  // npm is a script on Windows, which has no groups.
  return spawn(
    file,
    args,
    isWindows ? { stdio: [...stdio], env, shell: file === 'npm' } : { stdio: [...stdio], env, detached: true },
  )
}

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

/** The arguments of npm that start the product; null without one. */
function productArguments(accounts: string): string[] | null {
  const manifest = readManifest()
  if (!manifest || !workspacesOf(manifest).includes(productFolder)) return null
  const script = Object(readManifest(productFolder)?.scripts).dev
  // wrangler reads variables from its own file, not from the environment.
  const isOnWrangler = typeof script === 'string' && /(?:^|\s)wrangler dev(?:\s[^&|;]*)?$/.test(script)
  return [
    ...['run', 'dev', '--workspace', productFolder],
    ...(isOnWrangler ? ['--', '--var', `GATEHOUSE_URL:${accounts}`] : []),
  ]
}
