import { CliError } from '../cli-error.ts'

/** What a step finds: it is done, or it has something to do. */
export type Finding =
  | { done: string }
  | {
      /** What it will do, such as `create the D1 database acme`. */
      plan: string
      /** @returns what it has done */
      run(): Promise<string>
    }

/** A step of a deployment. It looks before it acts, so that a second run goes on where the first one ended. */
export interface Step {
  name: string
  look(): Promise<Finding>
}

export interface Manner {
  /** Print the plans only. */
  dryRun: boolean
  /** Asks before a step. @returns whether to do it */
  agree(question: string): Promise<boolean>
  print(line: string): void
  /** The command that goes on after an error. */
  again: string
}

/**
 * Performs steps in their order.
 * @returns whether all were done; false after a refused one
 * @throws CliError of a step; its next step names the command that goes on
 */
export async function performSteps(steps: readonly Step[], { dryRun, agree, print, again }: Manner): Promise<boolean> {
  for (const { name, look } of steps) {
    try {
      const finding = await look()
      if ('done' in finding) print(`done     ${name}: ${finding.done}`)
      else if (dryRun) print(`would    ${name}: ${finding.plan}`)
      else if (await agree(`${name}: ${finding.plan}?`)) print(`done     ${name}: ${await finding.run()}`)
      else {
        print(`stopped  ${name}\nNext: ${again} goes on here`)
        return false
      }
    } catch (thrown) {
      if (!(thrown instanceof CliError)) throw thrown
      throw new CliError(`failed   ${name}: ${thrown.message}`, `${thrown.next}; then ${again} goes on here`)
    }
  }
  return true
}
