import { createInterface } from 'node:readline/promises'
import type { OperatorCommand } from '../../features/admin/operator-commands.ts'
import { comparedAddress } from '../../kit/email-address.ts'
import { CliError } from '../cli-error.ts'
import { defineCommand, type Group } from '../command.ts'
import { literal } from '../sql-literal.ts'
import { placeArguments, selectAll, type Target, targetOf, targetOptions } from '../wrangler.ts'
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
  const list = [
    'npx gatehouse-auth users list',
    target.remote ? '--remote' : '--local',
    ...placeArguments(target),
  ].join(' ')
  throw new CliError(`No user has the id or address ${given}.`, `${list} prints ids and addresses`)
}

/** Gives the Worker a command, and prints when it runs. @throws CliError if the user is gone */
export async function giveCommand(target: Target, user: UserRow, command: OperatorCommand): Promise<void> {
  const [, [written] = []] = await selectAll<{ count: number }>(target, [
    commandStatement(command, new Date()),
    `SELECT count(*) AS count FROM jobs WHERE kind = 'operator' AND key = ${literal(user.id)}`,
  ])
  if (!written?.count) throw new CliError(`${user.email} was deleted in the meantime.`, 'nothing')
  const place = [target.remote ? '--remote' : '--local', ...placeArguments(target)].join(' ')
  console.log(
    target.remote
      ? 'The Worker does it at its next cron trigger, within five minutes, with its hooks, webhooks and audit log.'
      : 'The Worker of `npx gatehouse-auth dev` does it within a minute, at its cron trigger. `npx wrangler dev` has no timer: request /cdn-cgi/handler/scheduled at its address.',
  )
  console.log(`Next: npx gatehouse-auth users show ${user.id} ${place} prints the state.`)
}

/** A date without its time zone's name, or a dash. */
const date = (time: number | null): string => (time === null ? '-' : new Date(time).toISOString().slice(0, 16))

const list = defineCommand({
  about: 'Lists users, newest first.',
  options: {
    search: { type: 'string', help: 'only users whose address, name or id contains the text' },
    limit: { type: 'string', default: '50', value: '<number>', help: 'at most so many, up to 500' },
    json: { type: 'boolean', help: 'print JSON' },
    ...targetOptions,
  },
  async run({ search = '', json, ...values }) {
    const limit = Number(values.limit)
    if (!Number.isInteger(limit) || limit < 1 || limit > 500) {
      throw new CliError(`--limit ${values.limit} is not a number from 1 to 500.`, 'correct the option')
    }
    const found = `instr(lower(email || ' ' || name || ' ' || id), ${literal(search.toLowerCase())}) > 0`
    const [rows = []] = await selectAll<UserRow>(targetOf(values), [
      `SELECT ${columns} FROM users WHERE ${search === '' ? '1' : found} ORDER BY created_at DESC, id LIMIT ${limit + 1}`,
    ])
    const users = rows.slice(0, limit)
    if (json) console.log(JSON.stringify(users.map(shown), null, 2))
    else if (users.length === 0) console.log('No users.')
    else console.log(users.map(line).join('\n'))
    if (rows.length > limit) console.error(`There are more. Next: --limit ${Math.min(500, limit * 2)}, or --search`)
    return 0
  },
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

const show = defineCommand({
  about: 'Shows one user, with the numbers of sessions and ways to sign in, and commands that the Worker has not done.',
  args: '<id-or-address>',
  options: { json: { type: 'boolean', help: 'print JSON' }, ...targetOptions },
  async run({ json, ...values }, args) {
    const target = targetOf(values)
    const user = await findUser(target, args[0]!)
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
    else for (const [name, value] of Object.entries(facts)) console.log(`${name.padEnd(14)}${written(value)}`)
    return 0
  },
})

const written = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '-')

/** A command about one user that the Worker does. */
const changing = (about: string, action: 'unban' | 'delete', confirm?: (user: UserRow) => string) =>
  defineCommand({
    about,
    args: '<id-or-address>',
    options: {
      ...(confirm ? { yes: { type: 'boolean' as const, help: 'do not ask' } } : {}),
      ...targetOptions,
    },
    async run(values, [given]) {
      const target = targetOf(values)
      const user = await findUser(target, given!)
      const sure = (values as { yes?: boolean }).yes === true
      if (confirm && !sure && !(await agrees(confirm(user)))) {
        throw new CliError('Nothing was changed.', 'answer yes, or give --yes')
      }
      await giveCommand(target, user, { action, userId: user.id })
      return 0
    },
  })

async function agrees(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(?:es)?$/i.test((await reader.question(`${question} [y/N] `)).trim())
  } finally {
    reader.close()
  }
}

const ban = defineCommand({
  about: 'Bans a user, and ends their sessions, trusted devices, links and codes.',
  args: '<id-or-address>',
  options: {
    reason: { type: 'string', help: 'the reason, which the user gets at the next sign-in' },
    days: { type: 'string', value: '<number>', help: 'how long; otherwise as the configuration says' },
    ...targetOptions,
  },
  async run({ reason, days, ...values }, [given]) {
    const target = targetOf(values)
    const lasting = days === undefined ? null : Number(days)
    if (lasting !== null && !(Number.isFinite(lasting) && lasting > 0)) {
      throw new CliError(`--days ${days} is not a positive number.`, 'correct the option')
    }
    const user = await findUser(target, given!)
    const expiresIn = lasting === null ? null : Math.ceil(lasting * 86_400)
    await giveCommand(target, user, { action: 'ban', userId: user.id, reason: reason ?? null, expiresIn })
    return 0
  },
})

export const command: Group = {
  about: 'Users of the local or the deployed database. Reads are immediate; the Worker makes the changes.',
  commands: {
    list,
    show,
    ban,
    unban: changing('Lifts a ban.', 'unban'),
    delete: changing(
      'Deletes a user and everything that belongs to the user. The Worker refuses the last administrator.',
      'delete',
      ({ email, name }) => `Delete ${name} (${email}) and everything that belongs to this user?`,
    ),
  },
}
