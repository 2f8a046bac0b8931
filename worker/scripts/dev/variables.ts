import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { root } from '../tools.ts'

const file = join(root, '.dev.vars')

const read = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** The variables of .dev.vars. */
export const readVariables = (): NodeJS.Dict<string> => parseEnv(read())

/** Adds a random secret to .dev.vars if it is missing. */
export function completeVariables(): void {
  if (readVariables().GATEHOUSE_SECRET) return
  const text = read()
  const comment = '# Signs and seals everything on this machine. See .dev.vars.example for the other variables.'
  const joint = text === '' || text.endsWith('\n') ? '' : '\n'
  const secret = randomBytes(32).toString('base64url')
  appendFileSync(file, `${joint}${comment}\nGATEHOUSE_SECRET=${secret}\n`, { mode: 0o600 })
  console.log('.dev.vars had no GATEHOUSE_SECRET: a random one was added.')
}
