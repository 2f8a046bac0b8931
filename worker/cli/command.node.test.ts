import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cliProgram } from '../testing/cli-program.ts'
import { CliError } from './cli-error.ts'
import { defineCommand, execute, helpOf } from './command.ts'

const said = { out: '', errors: '' }
beforeEach(() => {
  Object.assign(said, { out: '', errors: '' })
  vi.spyOn(console, 'log').mockImplementation((text) => void (said.out += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text) => void (said.errors += `${text}\n`))
})
afterEach(() => {
  vi.restoreAllMocks()
})

const ran: unknown[] = []
const move = defineCommand({
  about: 'Moves rows. It copies nothing.',
  args: '<from> [<to>]',
  options: {
    remote: { type: 'boolean', help: 'at Cloudflare' },
    database: { type: 'string', default: 'DB', value: '<name>', help: 'the binding' },
    out: { type: 'string', value: '<file>', help: 'the file' },
    field: { type: 'string', multiple: true, value: '<a>=<b>', help: 'a field' },
    format: { type: 'string', oneOf: ['json', 'text'], help: 'the form' },
    secret: { type: 'string' },
  },
  async run(values, args) {
    ran.push({ values: { ...values }, args })
    return 3
  },
})

const run = (...words: string[]) => execute(move, 'gatehouse-auth move', words)

describe('the words of a command', () => {
  it('are its values, with their defaults, and its arguments', async () => {
    ran.length = 0
    expect(await run('here', '--remote', '--field', 'a=b', '--field=c=d', '--format', 'json', 'there')).toBe(3)
    expect(await run('here')).toBe(3)
    expect(ran).toEqual([
      {
        values: { remote: true, field: ['a=b', 'c=d'], format: 'json', database: 'DB' },
        args: ['here', 'there'],
      },
      { values: { field: [], database: 'DB' }, args: ['here'] },
    ])
  })

  it.each([
    [['a', '--remot'], 'Unknown option --remot; did you mean --remote?'],
    [['a', '--zzz'], 'Unknown option --zzz'],
    [['a', '-x'], 'Unknown option -x'],
    [['a', '--secre', 'x'], 'Unknown option --secre'],
    [['a', '--remote=yes'], '--remote takes no value.'],
    [['a', '--out'], '--out needs a value: --out <file>'],
    [['a', '--out', '--remote'], '--out needs a value: --out <file>'],
    [['a', '--out', 'x', '--out', 'y'], '--out is given twice.'],
    [['a', '--format', 'yaml'], '--format yaml: choose one of json, text'],
    [[], 'The argument <from> is missing.'],
    [['a', 'b', 'c'], 'Unexpected argument c'],
  ])('%j is refused with the next step, and nothing runs', async (words, message) => {
    ran.length = 0
    expect(await run(...words)).toBe(1)
    expect(said.errors).toBe(`${message}\nNext: npx gatehouse-auth move --help prints the options\n`)
    expect(ran).toEqual([])
  })

  it('an argument after -- can begin with a dash', async () => {
    ran.length = 0
    await run('--', '--help')
    expect(ran).toMatchObject([{ args: ['--help'] }])
  })
})

describe('--help', () => {
  it('prints options, values and exit codes, and not what is hidden', async () => {
    expect(await run('--help')).toBe(0)
    expect(said.out).toBe(`gatehouse-auth move <from> [<to>] [options]

  Moves rows. It copies nothing.

  --remote           at Cloudflare
  --database <name>  the binding (default: DB)
  --out <file>       the file
  --field <a>=<b>    a field (may be repeated)
  --format <text>    the form (one of json, text)

  Exit code: 0 done, 1 failed.
`)
  })
})

describe('errors', () => {
  it('are printed with the next step; a fault of the program keeps its stack', async () => {
    const failing = (thrown: Error) =>
      execute(
        defineCommand({
          about: 'Fails.',
          async run() {
            throw thrown
          },
        }),
        'gatehouse-auth fail',
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
  const group = { about: 'Rows.', commands: { move } }

  it('runs its commands, lists them, and suggests a name', async () => {
    ran.length = 0
    expect(await execute(group, 'gatehouse-auth rows', ['move', 'x'])).toBe(3)
    expect(ran).toHaveLength(1)
    expect(await execute(group, 'gatehouse-auth rows', ['--help'])).toBe(0)
    expect(await execute(group, 'gatehouse-auth rows', [])).toBe(1)
    expect(said.out).toContain('  move <from> [<to>]  Moves rows\n')
    expect(said.errors).toBe(said.out)
    expect(await execute(group, 'gatehouse-auth rows', ['mvoe', 'x'])).toBe(1)
    expect(said.errors).toContain(
      'Unknown command gatehouse-auth rows mvoe; did you mean gatehouse-auth rows move?\nNext: npx gatehouse-auth rows --help lists the commands\n',
    )
    expect(await execute(group, 'gatehouse-auth rows', ['move', '--help'])).toBe(0)
    expect(said.out).toContain(helpOf(move, 'gatehouse-auth rows move'))
  })
})

it('types the values of a command by its options', async () => {
  const typed = defineCommand({
    about: 'Types.',
    options: { many: { type: 'string', multiple: true }, one: { type: 'string' }, flag: { type: 'boolean' } },
    async run({ many, one, flag }) {
      const [list, text, on]: [string[], string | undefined, boolean | undefined] = [many, one, flag]
      return list.length + (text?.length ?? 0) + Number(on ?? false)
    },
  })
  expect(await execute(typed, 'gatehouse-auth typed', ['--many', 'a', '--one', 'bc', '--flag'])).toBe(4)
})

describe('the program', () => {
  const gatehouse = async (...words: string[]) =>
    spawnSync(process.execPath, [await cliProgram(), ...words], { encoding: 'utf8' })

  it('every command of the table has a help with at least one option or argument, or reads stdin', async () => {
    const { stdout: help } = await gatehouse('--help')
    const names = [...help.matchAll(/^ {2}(\S+) {2}/gm)].map(([, name]) => name!)
    expect(names).toEqual(expect.arrayContaining(['init', 'import', 'export', 'secrets']))
    for (const name of names) {
      const { status, stdout } = await gatehouse(name, '--help')
      expect({ name, status, stdout }).toEqual({ name, status: 0, stdout: expect.stringMatching(/<|--|over stdin/) })
    }
  })

  it('suggests a command, and fails without one', async () => {
    const { status, stderr } = await gatehouse('sercets')
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        'Unknown command gatehouse-auth sercets; did you mean gatehouse-auth secrets?\nNext: npx gatehouse-auth --help lists the commands\n',
    })
    const { status: without, stderr: list } = await gatehouse()
    expect({ without, list }).toEqual({ without: 1, list: expect.stringContaining('gatehouse-auth <command>') })
  })
})
