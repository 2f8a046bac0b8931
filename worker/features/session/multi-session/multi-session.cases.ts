import type { FeatureCases } from '../../../testing/cases.ts'
import type { TestApp } from '../../../testing/harness.ts'
import { bob, type Person, signUp } from '../../../testing/people.ts'
import { newPerson } from '../../../testing/set-ups.ts'
import { answered, signedUp } from '../../../testing/ways.ts'

/** Two accounts in one browser, and the session token of the one that is not shown. */
async function twoAccounts(app: TestApp, person: Person) {
  const device = await signUp(app, person)
  const given = device.cookie('session_token')!.split('.')[0]!
  await device.post('/sign-up/email', newPerson())
  return { device, given }
}

export const cases: FeatureCases = {
  faults: {
    'another account of this browser': {
      endpoint: 'POST /multi-session/set-active',
      before: twoAccounts,
      input: (sessionToken) => ({ sessionToken }),
    },
    'an account leaves this browser': {
      endpoint: 'POST /multi-session/revoke',
      before: twoAccounts,
      input: (sessionToken) => ({ sessionToken }),
    },
  },
  events: {
    'sign-out of several accounts': {
      act: signedUp(async (device, { begin }) => {
        await device.post('/sign-up/email', bob)
        await begin()
        await answered(device.post('/sign-out'))
      }),
      events: ['session.ended', 'session.ended'],
      hooks: ['signedOut', 'signedOut'],
    },
  },
}
