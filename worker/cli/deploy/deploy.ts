import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline/promises'
import { CliError } from '../cli-error.ts'
import { defineCommand } from '../command.ts'
import { placeArguments, targetOf, targetOptions, wranglerFile } from '../wrangler.ts'
import { deploymentSteps } from './deployment-steps.ts'
import { perform } from './perform.ts'

const { database, config, env } = targetOptions

export const command = defineCommand({
  about: `Deploys to Cloudflare, step by step: login, BASE_URL and route, database, KV namespace, migrations, secrets, Worker,
    first administrator. It asks before each step and creates nothing twice: after an error, run it again.`,
  options: {
    'base-url': { type: 'string', value: '<origin>', help: 'the origin that users see' },
    'dry-run': { type: 'boolean', help: 'print what it would do; works without credentials and network' },
    yes: { type: 'boolean', help: 'do not ask before each step' },
    database,
    config,
    env,
  },
  details: `Secrets that the configuration needs come from the environment (by their names), or are asked for on a terminal.
GATEHOUSE_SECRET is generated; .gitignore excludes the file with its copy.`,
  exitCodes: '0 deployed, 1 a step failed or was refused',
  async run(values) {
    const target = targetOf({ ...values, local: false, remote: true, 'persist-to': undefined })
    const { yes, 'dry-run': dryRun = false, 'base-url': baseUrl } = values
    const isTerminal = process.stdin.isTTY && process.stdout.isTTY
    if (!isTerminal && !yes && !dryRun) {
      throw new CliError(
        'There is no terminal to ask on.',
        'npx gatehouse-auth deploy --yes, or --dry-run to print the steps',
      )
    }
    const steps = deploymentSteps({
      target,
      baseUrl,
      dryRun,
      ask: async (question) => (isTerminal ? await ask(`${question}: `) : undefined),
      onTerminal: async (args) => isTerminal && (await runOnTerminal(args)),
    })
    const done = await perform(steps, {
      dryRun,
      agree: async (question) => yes === true || /^(?:y|yes|)$/i.test(await ask(`${question} [Y/n] `)),
      print: (line) => console.log(line),
      again: ['npx gatehouse-auth deploy', ...placeArguments(target)].join(' '),
    })
    return done ? 0 : 1
  },
})

async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await reader.question(question)).trim()
  } finally {
    reader.close()
  }
}

function runOnTerminal(args: string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, [wranglerFile(), ...args], { stdio: 'inherit' })
      .on('error', reject)
      .on('close', (code) => resolve(code === 0))
  })
}
