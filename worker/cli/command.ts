import { parseArgs } from 'node:util'
import { similar } from '../kit/option-problems.ts'
import { CliError } from './cli-error.ts'
import { isFileError } from './private-file.ts'

/** An option of a command. The help and the check of arguments come from it. */
export interface Option {
  type: 'boolean' | 'string'
  /** Whether it may be repeated. */
  multiple?: boolean
  default?: string
  /** The value in the help. @default <text> */
  value?: string
  /** All permitted values. */
  oneOf?: readonly string[]
  /** What it does. Without a text it is left out of the help. */
  help?: string
}

export type Options = Record<string, Option>

type ValueOf<O extends Option> = O extends { type: 'boolean' }
  ? boolean | undefined
  : O extends { multiple: true }
    ? string[]
    : O extends { default: string }
      ? string
      : string | undefined

export type Values<O extends Options> = { [K in keyof O]: ValueOf<O[K]> }

/** A command, or the leaf of a group of commands: `gatehouse users list`. */
export interface Command<O extends Options = Options> {
  /** What it does. The first sentence is its line in the list of commands. */
  about: string
  /** Its arguments in the order of the command line: `<source> <file...>`, `[<name>]`. */
  args?: string
  options?: O
  /** Printed after the options. */
  details?: string
  /** @default 0 done, 1 failed */
  exitCodes?: string
  /** @param args the arguments; as many as `args` describes. @returns the exit code */
  run(values: Values<O>, args: string[]): Promise<number>
}

/** Commands under one name: `gatehouse users list`, `gatehouse users ban`. */
export interface Group {
  about: string
  commands: Record<string, Command>
}

/** Types the values of a command by its options. */
export const defineCommand = <const O extends Options = Record<never, never>>(command: Command<O>): Command =>
  command as unknown as Command

/** The name that a mistyped word means, or an empty text. Two exchanged letters are a distance of 2. */
export const meant = (word: string, known: readonly string[]): string =>
  similar(word, known, word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3)))

const isGroup = (entry: Command | Group): entry is Group => 'commands' in entry

const asksForHelp = (words: readonly string[]) => words.some((word) => word === '--help' || word === '-h')

/**
 * Runs a command with the words after its name, and prints each expected error with the next step.
 * @param name the words before: `gatehouse users`
 * @returns the exit code
 */
export async function execute(entry: Command | Group, name: string, words: string[]): Promise<number> {
  try {
    return await resolve(entry, name, words)
  } catch (thrown) {
    const error = asCliError(thrown)
    if (!error) throw thrown
    console.error(`${error.message}\nNext: ${error.next}`)
    return 1
  }
}

async function resolve(entry: Command | Group, name: string, words: string[]): Promise<number> {
  if (!isGroup(entry)) return await runOne(entry, name, words)
  const [word = '', ...rest] = words
  const found = Object.hasOwn(entry.commands, word) ? entry.commands[word] : undefined
  if (found) return await runOne(found, `${name} ${word}`, rest)
  const help = helpOfGroup(entry, name)
  if (asksForHelp([word])) return print(help)
  if (word === '') {
    console.error(help)
    return 1
  }
  throw unknownCommand(name, word, Object.keys(entry.commands))
}

async function runOne(command: Command, name: string, words: string[]): Promise<number> {
  const end = words.indexOf('--')
  if (asksForHelp(end < 0 ? words : words.slice(0, end))) return print(helpOf(command, name))
  const { values, args } = read(command, name, words)
  return await command.run(values, args)
}

function print(text: string): number {
  console.log(text)
  return 0
}

/** @param name the words before the unknown one */
export function unknownCommand(name: string, word: string, known: string[]): CliError {
  const close = meant(word, known)
  const advice = close ? `; did you mean ${name} ${close}?` : ''
  return new CliError(`Unknown command ${name} ${word}${advice}`, `npx ${name} --help lists the commands`)
}

/** File errors contain the name and the reason. Other errors are faults of this program, with a stack. */
function asCliError(thrown: unknown): CliError | null {
  if (thrown instanceof CliError) return thrown
  if (!isFileError(thrown)) return null
  return new CliError(thrown.message, 'correct the path or the permissions, then run the command again')
}

/** Reads the words of the command line. @throws CliError for unknown options, missing values and missing arguments */
function read(command: Command, name: string, words: string[]): { values: Values<Options>; args: string[] } {
  const options: Options = command.options ?? {}
  const help = `npx ${name} --help prints the options`
  const refuse = (message: string) => new CliError(message, help)
  const types = Object.fromEntries(Object.entries(options).map(([key, { type }]) => [key, { type }]))
  const { tokens } = parseArgs({ args: words, options: types, strict: false, allowPositionals: true, tokens: true })
  const args: string[] = []
  const values: Record<string, boolean | string | string[]> = {}
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (!option) {
      const close = meant(token.name, shownOptions(options))
      throw refuse(`Unknown option ${token.rawName}${close ? `; did you mean --${close}?` : ''}`)
    }
    if (option.type === 'boolean') {
      if (token.value !== undefined) throw refuse(`${token.rawName} takes no value.`)
      values[token.name] = true
      continue
    }
    // `--out --remote` has forgotten the file.
    if (!token.value || (token.value.startsWith('--') && !token.inlineValue)) {
      throw refuse(`${token.rawName} needs a value: ${written(token.name, option)}`)
    }
    if (option.oneOf && !option.oneOf.includes(token.value)) {
      throw refuse(`${token.rawName} ${token.value}: choose one of ${option.oneOf.join(', ')}`)
    }
    if (option.multiple) values[token.name] = [...((values[token.name] as string[] | undefined) ?? []), token.value]
    else if (values[token.name] !== undefined) throw refuse(`${token.rawName} is given twice.`)
    else values[token.name] = token.value
  }
  for (const [key, option] of Object.entries(options)) {
    const fallback = option.multiple ? [] : option.default
    if (fallback !== undefined) values[key] ??= fallback
  }
  checkArguments(command.args ?? '', args, refuse)
  return { values: values as Values<Options>, args }
}

function checkArguments(described: string, given: string[], refuse: (message: string) => CliError): void {
  const wanted = described.split(' ').filter(Boolean)
  const missing = wanted.slice(given.length).find((one) => !one.startsWith('['))
  if (missing) throw refuse(`The argument ${missing.replace('...', '')} is missing.`)
  const unexpected = wanted.some((one) => one.includes('...')) ? undefined : given[wanted.length]
  if (unexpected !== undefined) throw refuse(`Unexpected argument ${unexpected}`)
}

const shownOptions = (options: Options) => Object.keys(options).filter((key) => options[key]!.help)

const written = (name: string, { type, value = '<text>' }: Option) =>
  type === 'boolean' ? `--${name}` : `--${name} ${value}`

/** Lines of at most 110 characters, indented. */
function wrapped(text: string, indent: number): string {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= 110 - indent) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

/** The text of `--help`. */
export function helpOf({ about, args, options = {}, details, exitCodes = '0 done, 1 failed' }: Command, name: string) {
  const shown = shownOptions(options).map((key) => {
    const option = options[key]!
    const more = [
      option.oneOf && `one of ${option.oneOf.join(', ')}`,
      option.multiple && 'may be repeated',
      option.default && `default: ${option.default}`,
    ].filter(Boolean)
    return [written(key, option), `${option.help}${more.length > 0 ? ` (${more.join('; ')})` : ''}`] as const
  })
  const width = Math.max(0, ...shown.map(([left]) => left.length)) + 4
  const lines = shown.map(([left, right]) => `  ${left.padEnd(width - 2)}${wrapped(right, width)}`)
  const parts = [
    [name, args, shown.length > 0 && '[options]'].filter(Boolean).join(' '),
    `  ${wrapped(about, 2)}`,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...(details ? [details.replace(/^(?=.)/gm, '  ')] : []),
    `  Exit code: ${exitCodes}.`,
  ]
  return parts.join('\n\n')
}

function helpOfGroup({ about, commands }: Group, name: string): string {
  const lines = Object.entries(commands).map(
    ([word, { about, args }]) => [[word, args].filter(Boolean).join(' '), about.split('.')[0]!] as const,
  )
  return `${name} <command>\n\n  ${wrapped(about, 2)}\n\n${columns(lines)}\n\n${name} <command> --help prints the options.`
}

/** Two columns, the first as wide as its longest text. */
export function columns(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([left]) => left.length)) + 2
  return lines.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n')
}
