import { Command } from '@commander-js/extra-typings'
import { CliError } from '../cli-error.ts'
import { withTarget } from '../wrangler.ts'
import { findUser, giveCommand } from './users.ts'

const add = withTarget(
  new Command('add')
    .description('Makes a user an administrator, such as the first one. The user signs up before.')
    .argument('<email>')
    .option('--unverified', 'also if the address is not verified, so that someone else could own it'),
).action(async (email, { unverified, ...target }) => {
  const user = await findUser(target, email).catch((thrown) => {
    if (!(thrown instanceof CliError) || !thrown.message.startsWith('No user')) throw thrown
    throw new CliError(thrown.message, 'sign up at BASE_URL/sign-up with this address, then run the command again')
  })
  if (user.email_verified !== 1 && !unverified) {
    throw new CliError(
      `${user.email} is not verified: someone else could have signed up with it.`,
      'open the link of the confirmation mail, then run the command again; or give --unverified',
    )
  }
  if (user.banned === 1) throw new CliError(`${user.email} is banned.`, `npx gatehouse-auth users unban ${user.id}`)
  await giveCommand(target, user, { action: 'make-admin', userId: user.id })
})

export const command = new Command('admin').description('Administrators.').addCommand(add)
