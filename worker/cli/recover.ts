import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { beginRecovery } from '../features/admin/begin-recovery.store.ts'
import { clientsWithRestoredSecret } from '../features/identity-provider/model/grants/restored.store.ts'
import { newestRecovery, newestRecoveryRecord } from '../identity/recovery/recovery.store.ts'
import type { Recovery } from '../identity/recovery/recovery-job.ts'
import { ms } from '../kit/time.ts'
import { askQuestion, isTerminal } from './ask.ts'
import { CliError } from './cli-error.ts'
import { remoteDatabase } from './remote-database.store.ts'
import { placeOf, type Target, withTarget } from './wrangler.ts'

/** A time as `wrangler d1 time-travel restore --timestamp` takes it: ISO 8601 or Unix seconds. */
export function readTime(text: string, now: Date): Date {
  const time = new Date(/^\d{9,11}$/.test(text) ? ms(Number(text)) : text)
  if (Number.isNaN(time.getTime()) || !/^\d/.test(text))
    throw new InvalidArgumentError('It must be a time such as 2026-11-20T12:00:00Z, or Unix seconds.')
  if (time > now) throw new InvalidArgumentError('It must be in the past.')
  return time
}

/** Clients that are printed. */
const maxClients = 200

interface Asked extends Target {
  restoredTo?: Date | undefined
  keepKeys?: true | undefined
  keepPasswords?: true | undefined
  status?: true | undefined
  yes?: true | undefined
}

export const command = withTarget(
  new Command('recover')
    .description(`Makes a deployment safe after its database was restored to an earlier time. Ends sessions, tokens, links, invitations,
      keys and passwords of that time, and gives up mails and webhooks that may have been sent. The Worker does it in steps.`)
    .option('--restored-to <time>', 'the time of the restored state', (text) => readTime(text, new Date()))
    .option(
      '--keep-keys',
      'keep API keys, server keys, directory tokens, secrets of OAuth clients, agents and services: none was revoked since',
    )
    .option('--keep-passwords', 'keep passwords: none was changed since')
    .option('--status', 'print the progress')
    .option('--yes', 'do not ask'),
).action(async ({ restoredTo, keepKeys, keepPasswords, status, yes, ...target }: Asked) => {
  if (status) return await printStatus(target)
  if (!restoredTo)
    throw new CliError(
      'Name the time of the restored state.',
      'npx gatehouse-auth recover --restored-to <time>, or --status',
    )
  const keep: Recovery['keep'] = [
    ...(keepKeys ? ['keys' as const] : []),
    ...(keepPasswords ? ['passwords' as const] : []),
  ]
  const ended = ['sessions', ...(keepKeys ? [] : ['keys']), ...(keepPasswords ? [] : ['passwords'])].join(', ')
  const question = `End all ${ended}, tokens, links and invitations of ${restoredTo.toISOString()} and before? [y/N] `
  if (!yes && !(isTerminal() && /^y(?:es)?$/i.test(await askQuestion(question))))
    throw new CliError('Nothing was changed.', 'answer yes, or give --yes')
  const order = { restoredTo: restoredTo.getTime(), keep }
  const db = remoteDatabase(target)
  const clients = await clientsWithRestoredSecret(db, maxClients)
  const { isBegun, givenUp, staff } = await beginRecovery(db, order, new Date())
  const next = `npx gatehouse-auth recover --status ${placeOf(target)} prints the progress`
  if (!isBegun) throw new CliError('Another recovery has not finished.', next)
  for (const { kind, count } of givenUp) console.log(`${kind}: ${count} not repeated`)
  if (givenUp.length > 0)
    console.log('They are in the list of undelivered work, where an administrator can send each again.')
  for (const { email, role, id } of staff) console.log(`role ${role}: ${email} (${id})`)
  if (staff.length > 0) console.log('Compare these roles with what has changed since: a removed role is there again.')
  for (const { clientId, name } of clients)
    console.log(`client secret ${keepKeys ? 'kept' : 'ends'}: ${name} (${clientId})`)
  if (clients.length > 0)
    console.log(
      keepKeys
        ? 'A secret of them that was replaced since is valid again: replace it.'
        : 'Their owners, and administrators of services, make new ones.',
    )
  console.log(
    target.remote
      ? 'The Worker does the rest, from its next cron trigger within a minute.'
      : 'The Worker of `npx gatehouse-auth dev` does the rest, from its next cron trigger within a minute.',
  )
  console.log(`Next: ${next}.`)
})

async function printStatus(target: Target): Promise<void> {
  const db = remoteDatabase(target)
  const [[job], [record]] = [await newestRecovery(db), await newestRecoveryRecord(db)]
  const again = `npx gatehouse-auth recover --restored-to <time> ${placeOf(target)}`
  if (job?.state === 'failed') {
    throw new CliError(`The Worker has given up the recovery: ${job.lastError}`, `correct the reason, then ${again}`)
  }
  if (job) {
    const { step, position, end, counts } = JSON.parse(job.payload ?? 'null') as Recovery
    const part = end === null || end === 0 ? '' : `, ${Math.min(99, Math.floor((position / end) * 100))} % of it`
    console.log(`Step ${step + 1}${part}.`)
    printCounts(counts)
    if (job.lastError !== null) console.log(`The last attempt failed: ${job.lastError}. The Worker tries again.`)
    console.log('Next: wait. The cron trigger continues each minute; keep the Worker deployed.')
    return
  }
  if (!record) throw new CliError('There has been no recovery.', again)
  const { restoredTo, state, keep, ...counts } = record.after as Record<string, string | number>
  console.log(
    `The recovery from ${restoredTo} ${state === 'done' ? 'is done' : 'has begun'}: ${record.createdAt.toISOString()}`,
  )
  printCounts(counts)
  if (keep) console.log(`kept: ${keep}`)
  if (state === 'done')
    console.log('Next: the checks of the guide "Disaster", such as bans and roles that have changed since.')
}

function printCounts(counts: Record<string, string | number>): void {
  for (const [name, count] of Object.entries(counts)) if (Number(count) > 0) console.log(`  ${name.padEnd(24)}${count}`)
}
