import { spawn } from 'node:child_process'
import { Command } from '@commander-js/extra-typings'
import { askQuestion, isTerminal } from '../ask.ts'
import { CliError } from '../cli-error.ts'
import { placeArguments, type Target, withPlace, wranglerFile } from '../wrangler.ts'
import { deploymentSteps } from './deployment-steps.ts'
import { performSteps } from './perform.ts'

export const command = withPlace(
  new Command('deploy')
    .description(`Deploys to Cloudflare, step by step: login, BASE_URL and route, database, KV namespace, migrations, secrets,
      Worker, first administrator. It asks before each step and creates nothing twice: after an error, run it again.`)
    .option('--base-url <origin>', 'the origin that users see')
    .option('--dry-run', 'print what it would do; works without credentials and network')
    .option('--yes', 'do not ask before each step'),
)
  .addHelpText(
    'after',
    `
Secrets that the configuration needs come from the environment (by their names), or are asked for on a terminal.
GATEHOUSE_SECRET is generated; .gitignore excludes the file with its copy.

Exit code: 0 deployed, 1 a step failed or was refused.`,
  )
  .action(async ({ yes, dryRun = false, baseUrl, ...place }) => {
    const target: Target = { ...place, remote: true }
    if (!isTerminal() && !yes && !dryRun) {
      throw new CliError(
        'There is no terminal to ask on.',
        'npx gatehouse-auth deploy --yes, or --dry-run to print the steps',
      )
    }
    const steps = deploymentSteps({
      target,
      baseUrl,
      dryRun,
      ask: async (question) => (isTerminal() ? await askQuestion(`${question}: `) : undefined),
      onTerminal: async (args) => isTerminal() && (await runOnTerminal(args)),
    })
    const done = await performSteps(steps, {
      dryRun,
      agree: async (question) => yes === true || /^(?:y|yes|)$/i.test(await askQuestion(`${question} [Y/n] `)),
      print: (line) => console.log(line),
      again: ['npx gatehouse-auth deploy', ...placeArguments(target)].join(' '),
    })
    if (!done) process.exitCode = 1
  })

function runOnTerminal(args: string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, [wranglerFile(), ...args], { stdio: 'inherit' })
      .on('error', reject)
      .on('close', (code) => resolve(code === 0))
  })
}
