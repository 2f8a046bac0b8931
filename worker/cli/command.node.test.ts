import { spawnSync } from 'node:child_process'
import { Argument, Command, Option } from '@commander-js/extra-typings'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cliProgram } from '../testing/cli-program.ts'
import { runCommand } from '../testing/run-command.ts'
import { CliError } from './cli-error.ts'
import { collect, wholeNumber } from './command.ts'
import { messageOf } from './wrangler.ts'

const said = { out: '', errors: '' }
beforeEach(() => {
  Object.assign(said, { out: '', errors: '' })
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((said.out += text)))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((said.errors += text)))
  vi.spyOn(console, 'error').mockImplementation((text) => void (said.errors += `${text}\n`))
})
afterEach(() => {
  vi.restoreAllMocks()
})

const ran: unknown[] = []
const newMove = () =>
  new Command('move')
    .description(`Moves rows.
    It copies nothing.`)
    .addArgument(new Argument('<from>', 'the place'))
    .argument('[to]')
    .option('--remote', 'at Cloudflare')
    .option('--database <name>', 'the binding', 'DB')
    .option('--out <file>', 'the file')
    .option('--field <a=b>', 'a field', collect)
    .option('--limit <number>', 'at most so many', wholeNumber(1, 5))
    .addOption(new Option('--format <text>', 'the form').choices(['json', 'text']))
    .addOption(new Option('--secret <text>').hideHelp())
    .action(async (from, to, values) => {
      ran.push({ from, to, values: { ...values } })
      process.exitCode = 3
    })

const run = (...words: string[]) => runCommand(newMove(), words)

describe('the error of a command', () => {
  it('is that of wrangler below the one of a query, without a stack', async () => {
    const cause = new CliError('no such table: server_keys', 'apply the migrations')
    const failing = new Command('move').action(() => {
      throw new Error('Failed query: select 1', { cause })
    })
    expect(await runCommand(failing, [])).toBe(1)
    expect(said.errors).toBe('no such table: server_keys\nNext: apply the migrations\n')
  })

  it('is the text that wrangler has in JSON', () => {
    expect(messageOf('{\n  "error": { "text": "no such table: users" }\n}\n')).toBe('no such table: users')
    expect(messageOf('✘ [ERROR] Not JSON\n')).toBe('Not JSON')
    expect(messageOf('{"other": 1}')).toBe('{"other": 1}')
  })
})

describe('the words of a command', () => {
  it('are its values, with their defaults, and its arguments', async () => {
    ran.length = 0
    expect(await run('here', '--remote', '--field', 'a=b', '--field=c=d', '--format', 'json', 'there')).toBe(3)
    expect(await run('here')).toBe(3)
    expect(ran).toEqual([
      {
        from: 'here',
        to: 'there',
        values: { remote: true, field: ['a=b', 'c=d'], format: 'json', database: 'DB' },
      },
      { from: 'here', to: undefined, values: { database: 'DB' } },
    ])
  })

  it.each([
    [['a', '--remot'], "unknown option '--remot'\n(Did you mean --remote?)"],
    [['a', '--zzz'], "unknown option '--zzz'"],
    [['a', '-x'], "unknown option '-x'"],
    [['a', '--secre', 'x'], "unknown option '--secre'"],
    [['a', '--remote=yes'], "unknown option '--remote=yes'"],
    [['a', '--out'], "option '--out <file>' argument missing"],
    [['a', '--out', '--remote'], "option '--out <file>' argument missing"],
    [['a', '--out', ''], "option '--out <file>' argument missing"],
    [['a', '--out='], "option '--out <file>' argument missing"],
    [['a', '--out', 'x', '--out=y'], "option '--out <file>' is given twice"],
    [
      ['a', '--limit', '6'],
      "option '--limit <number>' argument '6' is invalid. It must be a whole number from 1 to 5.",
    ],
    [['a', '--format', 'yaml'], "option '--format <text>' argument 'yaml' is invalid. Allowed choices are json, text."],
    [[], "missing required argument 'from'"],
    [['a', 'b', 'c'], "too many arguments for 'move'. Expected 2 arguments but got 3: a, b, c."],
  ])('%j is refused with the next step, and nothing runs', async (words, message) => {
    ran.length = 0
    expect(await run(...words)).toBe(1)
    expect(said.errors).toBe(`${message}\nNext: npx gatehouse-auth move --help prints the options\n`)
    expect(ran).toEqual([])
  })

  it('an argument after -- can begin with a dash, as can a value after =', async () => {
    ran.length = 0
    await run('--out=--x', '--', '--help', '--out')
    expect(ran).toMatchObject([{ from: '--help', to: '--out', values: { out: '--x' } }])
  })
})

describe('--help', () => {
  it('prints arguments, options and values, and not what is hidden', async () => {
    expect(await run('--help')).toBe(0)
    expect(said.out).toBe(`Usage: gatehouse-auth move [options] <from> [to]

Moves rows. It copies nothing.

Arguments:
  from               the place
  to

Options:
  --remote           at Cloudflare
  --database <name>  the binding (default: "DB")
  --out <file>       the file
  --field <a=b>      a field
  --limit <number>   at most so many
  --format <text>    the form (choices: "json", "text")
  -h, --help         display help for command
`)
  })
})

describe('errors', () => {
  it('are printed with the next step; a fault of the program keeps its stack', async () => {
    const failing = (thrown: Error) =>
      runCommand(
        new Command('fail').action(() => {
          throw thrown
        }),
        [],
      )
    expect(await failing(new CliError('There is no door.', 'build one'))).toBe(1)
    expect(await failing(Object.assign(new Error("ENOENT: no file 'x'"), { syscall: 'open' }))).toBe(1)
    expect(said.errors).toBe(
      "There is no door.\nNext: build one\nENOENT: no file 'x'\nNext: correct the path or the permissions, then run the command again\n",
    )
    await expect(failing(new RangeError('a fault'))).rejects.toThrow('a fault')
  })
})

describe('a group of commands', () => {
  const group = new Command('rows').description('Rows.').addCommand(newMove())

  it('runs its commands, lists them, and suggests a name', async () => {
    ran.length = 0
    expect(await runCommand(group, ['move', 'x'])).toBe(3)
    expect(ran).toHaveLength(1)
    expect(await runCommand(group, ['--help'])).toBe(0)
    expect(await runCommand(group, [])).toBe(1)
    expect(said.out).toContain('  move [options] <from> [to]  Moves rows. It copies nothing.\n')
    expect(said.errors).toBe(said.out)
    expect(await runCommand(group, ['mvoe', 'x'])).toBe(1)
    expect(said.errors).toContain(
      "unknown command 'mvoe'\n(Did you mean move?)\nNext: npx gatehouse-auth rows --help lists the commands\n",
    )
    expect(await runCommand(group, ['move', '--help'])).toBe(0)
    expect(said.out).toContain('Usage: gatehouse-auth rows move [options] <from> [to]\n')
    expect(await runCommand(group, ['move', 'x', '--remot'])).toBe(1)
    expect(said.errors).toContain('Next: npx gatehouse-auth rows move --help prints the options\n')
  })
})

describe('the program', () => {
  const gatehouse = async (...words: string[]) =>
    spawnSync(process.execPath, [await cliProgram(), ...words], { encoding: 'utf8' })
  const commandsIn = (help: string) =>
    [...help.split('\nCommands:\n')[1]!.matchAll(/^ {2}(\S+) /gm)]
      .map(([, name]) => name!)
      .filter((name) => name !== 'help')

  it('prints the help of every command and of those below it', async () => {
    const { stdout: help } = await gatehouse('--help')
    const names = commandsIn(help)
    expect(names).toEqual(expect.arrayContaining(['init', 'import', 'export', 'secrets']))
    for (const name of names) {
      const { status, stdout } = await gatehouse(name, '--help')
      expect({ name, status, stdout }).toEqual({ name, status: 0, stdout: expect.stringMatching(/\n {2}[-a-z].*\n/) })
      if (!stdout.includes('\nCommands:\n')) continue
      expect(await gatehouse('help', name)).toMatchObject({ status: 0, stdout })
      for (const below of commandsIn(stdout)) {
        const { status, stdout } = await gatehouse(name, below, '--help')
        expect({ status, stdout }).toEqual({
          status: 0,
          stdout: expect.stringContaining(`Usage: gatehouse-auth ${name} ${below} `),
        })
      }
    }
  })

  it('suggests a command, and fails without one', async () => {
    const { status, stderr } = await gatehouse('sercets')
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        "unknown command 'sercets'\n(Did you mean secrets?)\nNext: npx gatehouse-auth --help lists the commands\n",
    })
    const { status: without, stderr: list } = await gatehouse()
    expect({ without, list }).toEqual({ without: 1, list: expect.stringContaining('Usage: gatehouse-auth') })
    expect(await gatehouse('--version')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })
})
