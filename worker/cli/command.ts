import { CommanderError, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings'
import { similar } from '../kit/option-problems.ts'
import { CliError } from './cli-error.ts'
import { isFileError } from './private-file.ts'

/**
 * Runs the command of a program that the words name, and prints each expected error with the next step.
 * @returns the exit code; a command sets another one than 0 as `process.exitCode`
 */
export async function execute(program: CommandUnknownOpts, words: string[]): Promise<number> {
  prepare(program, program.name())
  program.hook('preAction', (_, command) => checkWords(command, words))
  const before = process.exitCode
  process.exitCode = 0
  try {
    await program.parseAsync(words, { from: 'user' })
    return Number(process.exitCode)
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode
    const error = asCliError(thrown)
    if (!error) throw thrown
    console.error(`${error.message}\nNext: ${error.next}`)
    return 1
  } finally {
    process.exitCode = before
  }
}

/** @param name the words before the options: `gatehouse-auth users list` */
function prepare(command: CommandUnknownOpts, name: string): void {
  const listed = command.commands.length > 0 ? 'lists the commands' : 'prints the options'
  command
    .description(command.description().replace(/\s+/g, ' '))
    .configureOutput({ outputError: () => {} })
    .exitOverride((error) => {
      // It has printed the help or the version.
      if (error.exitCode === 0 || error.code === 'commander.help') throw error
      throw new CliError(error.message.replace(/^error: /, ''), `npx ${name} --help ${listed}`)
    })
  for (const below of command.commands) prepare(below, `${name} ${below.name()}`)
}

/** Refuses what commander accepts: an option that is given twice, and the next option as the value of an option. */
function checkWords(command: CommandUnknownOpts, words: string[]): void {
  const end = words.indexOf('--')
  const before = end < 0 ? words : words.slice(0, end)
  for (const { long, flags, required, parseArg } of command.options) {
    if (!required) continue
    const values = before.flatMap((word, at) => {
      if (word !== long) return word.startsWith(`${long}=`) ? [word.slice(long!.length + 1)] : []
      return before[at + 1]?.startsWith('--') ? [''] : [before[at + 1]]
    })
    if (values.includes('')) command.error(`option '${flags}' argument missing`)
    if (values.length > 1 && parseArg !== collect) command.error(`option '${flags}' is given twice`)
  }
}

/** File errors contain the name and the reason. Other errors are faults of this program, with a stack. */
function asCliError(thrown: unknown): CliError | null {
  if (thrown instanceof CliError) return thrown
  // Drizzle wraps the error of a query.
  if (thrown instanceof Error && thrown.cause) return asCliError(thrown.cause)
  if (!isFileError(thrown)) return null
  return new CliError(thrown.message, 'correct the path or the permissions, then run the command again')
}

/** The values of an option that may be repeated. */
export const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]

/** The number of an option. */
export const wholeNumber = (least: number, most: number) => (text: string) => {
  const number = Number(text)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
}

/** The name that a mistyped word means, or an empty text. Two exchanged letters are a distance of 2. */
export const meant = (word: string, known: readonly string[]): string =>
  similar(word, known, word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3)))
