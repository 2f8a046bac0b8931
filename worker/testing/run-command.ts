import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { execute } from '../cli/command.ts'

/** Runs a command of `gatehouse-auth` in this process. @returns the exit code */
export const runCommand = (command: CommandUnknownOpts, words: string[]): Promise<number> =>
  execute(new Command('gatehouse-auth').addCommand(command), [command.name(), ...words])
