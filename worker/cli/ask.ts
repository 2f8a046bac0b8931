import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream & { isTTY?: boolean }
}

/** Whether there is a terminal to ask on. */
export const isTerminal = (): boolean => process.stdin.isTTY && process.stdout.isTTY

export async function askQuestion(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await reader.question(question)).trim()
  } finally {
    reader.close()
  }
}

/**
 * Reads a secret from an environment variable, otherwise hidden from the terminal; undefined without both. An argument
 * would be visible to every process and in the history of the shell.
 */
export async function readSecret(
  variable: string,
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string | undefined> {
  const given = process.env[variable]
  if (given) return given
  if (!input.isTTY || !output.isTTY) return undefined
  output.write(`${question} (${variable}): `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input, output: silent, terminal: true })
  try {
    return (await reader.question('')) || undefined
  } finally {
    reader.close()
    output.write('\n')
  }
}
