import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { userSearchWindow } from '../../features/admin/list-users/list-users.store.ts'
import type { OperatorCommand } from '../../features/admin/operator-commands.ts'
import { comparedAddress } from '../../kit/email-address.ts'
import { askQuestion, isTerminal } from '../ask.ts'
import { CliError } from '../cli-error.ts'
import { wholeNumber } from '../command.ts'
import { literal } from '../sql-literal.ts'
import { placeOf, selectAll, type Target, withTarget } from '../wrangler.ts'
import { commandStatement } from './operator-job.ts'

/** A row of `users`, as far as the command shows it. Times are milliseconds. */
export interface UserRow {
  id: string
  name: string
  email: string
  email_verified: number
  role: string
  banned: number
  ban_reason: string | null
  ban_expires: number | null
  created_at: number
}

const columns = 'id, name, email, email_verified, role, banned, ban_reason, ban_expires, created_at'

/** @throws CliError if no user has the id or address */
export async function findUser(target: Target, given: string): Promise<UserRow> {
  const condition = `id = ${literal(given)} OR email = ${literal(comparedAddress(given))}`
  const [[user] = []] = await selectAll<UserRow>(target, [`SELECT ${columns} FROM users WHERE ${condition}`])
  if (user) return user
  throw new CliError(
    `No user has the id or address ${given}.`,
    `npx gatehouse-auth users list ${placeOf(target)} prints ids and addresses`,
  )
}

/** Gives the Worker a command, and prints when it runs. @throws CliError if the user is gone */
export async function giveCommand(target: Target, user: UserRow, command: OperatorCommand): Promise<void> {
  const [, [written] = []] = await selectAll<{ count: number }>(target, [
    commandStatement(command, new Date()),
    `SELECT count(*) AS count FROM jobs WHERE kind = 'operator' AND key = ${literal(user.id)}`,
  ])
  if (!written?.count) throw new CliError(`${user.email} was deleted in the meantime.`, 'nothing')
  console.log(
    target.remote
      ? 'The Worker does it at its next cron trigger, within five minutes, with its hooks, webhooks and audit log.'
      : 'The Worker of `npx gatehouse-auth dev` does it within a minute, at its cron trigger. `npx wrangler dev` has no timer: request /cdn-cgi/handler/scheduled at its address.',
  )
  console.log(`Next: npx gatehouse-auth users show ${user.id} ${placeOf(target)} prints the state.`)
}

/** A date without its time zone's name, or a dash. */
const date = (time: number | null): string => (time === null ? '-' : new Date(time).toISOString().slice(0, 16))

/** Where a list continues: after a user, in its order. */
interface Place {
  createdAt: number
  id: string
}

const readPlace = (text: string): Place => {
  const [, time, id] = /^(-?\d{1,15}):(.+)$/s.exec(text) ?? []
  if (id === undefined) throw new InvalidArgumentError('It must be the value of "--after" that the command printed.')
  return { createdAt: Number(time), id }
}

const after = ({ created_at: time, id }: Pick<UserRow, 'created_at' | 'id'>): string =>
  `--after ${quoted(`${time}:${id}`)}`

const quoted = (text: string): string => (/^[\w:.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

const list = withTarget(
  new Command('list')
    .description(
      `Lists users, newest first. A search compares ${userSearchWindow.toLocaleString('en')} users, and prints how to continue.`,
    )
    .option('--search <text>', 'only users whose address, name or id contains the text')
    .option('--limit <number>', 'at most so many, up to 500', wholeNumber(1, 500), 50)
    .option('--after <place>', 'continue after this place, which the command has printed', readPlace)
    .option('--json', 'print JSON'),
).action(async ({ search = '', limit, after: place, json, ...target }) => {
  const found = `instr(lower(email || ' ' || name || ' ' || id), ${literal(search.toLowerCase())}) > 0`
  const from = place ? `WHERE (created_at, id) < (${place.createdAt}, ${literal(place.id)})` : ''
  const order = `FROM users ${from} ORDER BY created_at DESC, id DESC`
  const compared = search === '' ? limit + 1 : userSearchWindow
  const [rows = [], ends = []] = await selectAll<UserRow>(target, [
    `SELECT * FROM (SELECT ${columns} ${order} LIMIT ${compared}) WHERE ${search === '' ? '1' : found} LIMIT ${limit + 1}`,
    `SELECT created_at, id ${order} LIMIT 2 OFFSET ${compared - 1}`,
  ])
  const users = rows.slice(0, limit)
  if (json) console.log(JSON.stringify(users.map(shown), null, 2))
  else if (users.length === 0) console.log('No users.')
  else console.log(users.map(line).join('\n'))
  if (rows.length > limit) console.error(`There are more. Next: ${after(users.at(-1)!)}, or --search`)
  else if (search !== '' && ends.length > 1)
    console.error(`${compared.toLocaleString('en')} users were compared, and others follow. Next: ${after(ends[0]!)}`)
})

const line = ({ id, email, name, role, banned, created_at: created }: UserRow): string =>
  [id, email, name, role, date(created), ...(banned ? ['banned'] : [])].join('  ')

const shown = (user: UserRow) => ({
  id: user.id,
  name: user.name,
  email: user.email,
  emailVerified: user.email_verified === 1,
  role: user.role,
  banned: user.banned === 1,
  banReason: user.ban_reason,
  banExpires: user.ban_expires === null ? null : new Date(user.ban_expires).toISOString(),
  createdAt: new Date(user.created_at).toISOString(),
})

const show = withTarget(
  new Command('show')
    .description(
      'Shows one user, with the numbers of sessions and ways to sign in, and commands that the Worker has not done.',
    )
    .argument('<id-or-address>')
    .option('--json', 'print JSON'),
).action(async (given, { json, ...target }) => {
  const user = await findUser(target, given)
  const id = literal(user.id)
  const [sessions = [], accounts = [], commands = []] = await selectAll<Record<string, string | number | null>>(
    target,
    [
      `SELECT count(*) AS count FROM sessions WHERE user_id = ${id}`,
      `SELECT provider_id FROM accounts WHERE user_id = ${id} ORDER BY provider_id`,
      `SELECT payload, state, last_error FROM jobs WHERE kind = 'operator' AND key = ${id} ORDER BY created_at`,
    ],
  )
  const facts = {
    ...shown(user),
    sessions: Number(sessions[0]?.count ?? 0),
    accounts: accounts.map(({ provider_id: provider }) => String(provider)),
    commands: commands.map(({ payload, state, last_error: error }) => ({
      action: String((JSON.parse(String(payload)) as OperatorCommand | null)?.action ?? 'done'),
      state: String(state),
      error: error === null ? null : String(error),
    })),
  }
  if (json) console.log(JSON.stringify(facts, null, 2))
  else for (const [name, value] of Object.entries(facts)) console.log(`${name.padEnd(14)}${textOf(value)}`)
})

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '-')

/** A command about one user that the Worker does. */
const changing = (name: string, about: string) => new Command(name).description(about).argument('<id-or-address>')

const ban = withTarget(
  changing('ban', 'Bans a user, and ends their sessions, trusted devices, links and codes.')
    .option('--reason <text>', 'the reason, which the user gets at the next sign-in')
    .option('--days <number>', 'how long; otherwise as the configuration says', (text) => {
      if (Number.isFinite(Number(text)) && Number(text) > 0) return Number(text)
      throw new InvalidArgumentError('It must be a positive number.')
    }),
).action(async (given, { reason = null, days, ...target }) => {
  const user = await findUser(target, given)
  const expiresIn = days === undefined ? null : Math.ceil(days * 86_400)
  await giveCommand(target, user, { action: 'ban', userId: user.id, reason, expiresIn })
})

const unban = withTarget(changing('unban', 'Lifts a ban.')).action(async (given, target) => {
  const user = await findUser(target, given)
  await giveCommand(target, user, { action: 'unban', userId: user.id })
})

const remove = withTarget(
  changing(
    'delete',
    'Deletes a user and everything that belongs to the user. The Worker refuses the last administrator.',
  ).option('--yes', 'do not ask'),
).action(async (given, { yes, ...target }) => {
  const user = await findUser(target, given)
  const question = `Delete ${user.name} (${user.email}) and everything that belongs to this user? [y/N] `
  if (!yes && !(isTerminal() && /^y(?:es)?$/i.test(await askQuestion(question)))) {
    throw new CliError('Nothing was changed.', 'answer yes, or give --yes')
  }
  await giveCommand(target, user, { action: 'delete', userId: user.id })
})

export const command = new Command('users')
  .description('Users of the local or the deployed database. Reads are immediate; the Worker makes the changes.')
  .addCommand(list)
  .addCommand(show)
  .addCommand(ban)
  .addCommand(unban)
  .addCommand(remove)
