import { Command } from '@commander-js/extra-typings'
import type * as z from 'zod'
import { makeServerKey } from '../features/server-keys/new-server-key.ts'
import { newServerKey } from '../features/server-keys/server-keys.contract.ts'
import {
  deleteServerKey,
  insertKeyBelow,
  keysNamed,
  selectServerKeys,
} from '../features/server-keys/server-keys.store.ts'
import { commandRecord } from '../identity/audit/command-record.ts'
import { isServerPermission, maxServerKeys, serverPermissionNames } from '../kit/server-permissions.ts'
import { days, hours } from '../kit/time.ts'
import { runBatch } from '../platform/statements.ts'
import { CliError } from './cli-error.ts'
import { collect } from './command.ts'
import { remoteDatabase } from './remote-database.store.ts'
import { placeOf, type Target, withTarget } from './wrangler.ts'

/** Seconds. @throws CliError */
function readDuration(text: string): number {
  const [, number, unit] = /^(\d{1,4})([dh])$/.exec(text) ?? []
  if (!number || Number(number) === 0) {
    throw new CliError(`--expires ${text} is not a duration.`, 'give days or hours, such as 90d or 12h')
  }
  return Number(number) * (unit === 'd' ? days(1) : hours(1))
}

const words = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** @throws CliError */
function readPermissions(text: string): string[] {
  const given = words(text)
  const unknown = given.find((word) => !isServerPermission(word))
  if (unknown === undefined) return given
  throw new CliError(`unknown permission ${unknown}.`, `choose from ${serverPermissionNames.join(', ')}`)
}

/** The values of a new key by the rules of the endpoint. @throws CliError */
function checked(input: z.input<typeof newServerKey>) {
  const { success, data, error } = newServerKey.safeParse(input)
  if (success) return data
  const [issue] = error.issues
  throw new CliError(`--${String(issue!.path[0])}: ${issue!.message}`, 'correct the option')
}

/** A key of the wrong database is noticed only when a server uses it. @throws CliError without --local or --remote */
function requirePlace({ local, remote }: Partial<Target> & { local?: true | undefined }): void {
  if (!local && !remote) throw new CliError('Which database?', 'add --remote for the one at Cloudflare, or --local')
}

const create = withTarget(
  new Command('create')
    .description('Creates a server key and prints it once. Only its hash is stored.')
    .requiredOption('--name <text>', 'the server or the program that uses the key')
    .requiredOption('--permissions <list>', 'separated by commas, such as users:read,billing:read')
    .option('--expires <duration>', 'days or hours, such as 90d; otherwise never')
    .option(
      '--allow <address>',
      'an address or range that may use the key, such as 203.0.113.0/24; may be repeated',
      collect,
    ),
)
  .addHelpText('after', `\nPermissions:\n${serverPermissionNames.map((name) => `  ${name}`).join('\n')}`)
  .action(async ({ name, permissions, expires, allow = [], ...target }) => {
    requirePlace(target)
    const input = checked({
      name,
      permissions: readPermissions(permissions),
      ...(expires === undefined ? {} : { expiresIn: readDuration(expires) }),
      addresses: allow.flatMap(words),
    })
    const now = new Date()
    const { row, shown } = makeServerKey(input, null, now)
    const after = { name: row.name, permissions: row.permissions, addresses: row.addresses }
    const entry = { action: 'create-server-key', subjectType: 'server-key', subjectId: row.id, after } as const
    const db = remoteDatabase(target)
    const [same] = await keysNamed(db, row.name)
    if (same) {
      const next = `choose another name, or first: npx gatehouse-auth keys revoke ${same.id} ${placeOf(target)}`
      throw new CliError(`A server key has the name ${row.name} already.`, next)
    }
    const [, , written] = await runBatch(db, [
      insertKeyBelow(db, row, maxServerKeys),
      commandRecord(db, entry, now),
      keysNamed(db, row.id),
    ])
    if ((written as unknown[]).length === 0)
      throw new CliError(`There are ${maxServerKeys} keys.`, `npx gatehouse-auth keys revoke <id> ${placeOf(target)}`)
    // The key alone goes to the standard output, so that a script can store it.
    console.error(`Server key ${row.name} (${row.id}). It is shown only this once:`)
    console.log(shown)
    console.error(`Next: store it as a secret of the server, and pass it to serverClient({ url, key }).`)
  })

/** A date without seconds, or a text for none. */
const date = (time: Date | null, none: string): string => time?.toISOString().slice(0, 16) ?? none

const list = withTarget(
  new Command('list')
    .description('Lists the server keys, newest first, without their secrets.')
    .option('--json', 'print JSON'),
).action(async ({ json, ...target }) => {
  const rows = await selectServerKeys(remoteDatabase(target), maxServerKeys)
  const keys = rows.map(({ key: { id, name, start, permissions, addresses, ...times } }) => ({
    ...{ id, name, start, permissions, addresses },
    expires: date(times.expiresAt, 'never'),
    lastUsed: date(times.lastUsedAt, 'never'),
  }))
  if (json) console.log(JSON.stringify(keys, null, 2))
  else if (keys.length === 0) console.log('No server keys.')
  for (const key of json ? [] : keys) {
    const from = key.addresses.length > 0 ? [`from ${key.addresses.join(',')}`] : []
    const facts = [`expires ${key.expires}`, `last used ${key.lastUsed}`, key.permissions.join(','), ...from]
    console.log([key.id, key.name, `${key.start}…`, ...facts].join('  '))
  }
})

const revoke = withTarget(
  new Command('revoke').description('Revokes a server key, which stops working immediately.').argument('<id-or-name>'),
).action(async (given, target) => {
  requirePlace(target)
  const db = remoteDatabase(target)
  const found = await keysNamed(db, given)
  const next = `npx gatehouse-auth keys list ${placeOf(target)} prints ids and names`
  if (found.length === 0) throw new CliError(`No server key has the id or name ${given}.`, next)
  if (found.length > 1) throw new CliError(`${found.length} server keys have the name ${given}.`, `${next}; give an id`)
  const { id, name } = found[0]!
  const entry = { action: 'revoke-server-key', subjectType: 'server-key', subjectId: id, after: { name } } as const
  await runBatch(db, [deleteServerKey(db, id), commandRecord(db, entry, new Date())])
  console.log(`${name} (${id}) is revoked.`)
})

/** `gatehouse keys`: the keys of back ends. */
export const command = new Command('keys')
  .description('Creates, lists and revokes server keys, with which back ends call the server API.')
  .addCommand(create)
  .addCommand(list)
  .addCommand(revoke)
