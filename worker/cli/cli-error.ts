/** An error that the command prints without a stack: what happened, and the step that solves it. */
export class CliError extends Error {
  /** A command or a sentence, printed after `Next:`. */
  readonly next: string

  constructor(message: string, next: string) {
    super(message)
    this.next = next
  }
}
