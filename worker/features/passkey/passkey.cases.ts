import { passkeys } from '../../features/passkey/passkey.table.ts'
import type { FeatureCases } from '../../testing/cases.ts'
import type { TestApp } from '../../testing/harness.ts'
import { insertion } from '../../testing/insertion.ts'
import { addPasskey, assertOn, SoftwareAuthenticator } from '../../testing/passkeys.ts'
import { type Person, signUp } from '../../testing/people.ts'
import { acquaintance } from '../../testing/set-ups.ts'
import { answered, signedUp } from '../../testing/ways.ts'

async function passkeyOf(app: TestApp, person: Person) {
  const { device } = await acquaintance(app, person)
  await addPasskey(device)
  return { device, given: (await device.get('/passkey/list-user-passkeys')).body[0].id as string }
}

export const cases: FeatureCases = {
  config: { passkey: { signUp: true, secondFactor: true } },
  faults: {
    'sign-up with a passkey': {
      endpoint: 'POST /sign-up/passkey',
      before: async (app, { email }) => {
        const device = app.device()
        const { body } = await device.post('/passkey/generate-sign-up-options', { email })
        return { device, given: new SoftwareAuthenticator().register(body) }
      },
      input: (response, { name, email }) => ({ name, email, response }),
      afterwards: ['USER_ALREADY_EXISTS', 'PREVIOUSLY_REGISTERED'],
    },
    'sign-in with a passkey': {
      endpoint: 'POST /passkey/verify-authentication',
      before: async (app, person) => {
        const authenticator = await addPasskey(await signUp(app, person))
        const device = app.device()
        return { device, given: await assertOn(device, authenticator) }
      },
      input: (response) => ({ response }),
      // The counter of that use is stored.
      afterwards: ['AUTHENTICATION_FAILED'],
    },
    'a passkey after a password': {
      endpoint: 'POST /passkey/verify-second-factor',
      before: async (app, person) => {
        const authenticator = await addPasskey(await signUp(app, person))
        const device = app.device()
        await device.post('/sign-in/email', person)
        const { body } = await device.get('/passkey/second-factor-options')
        return { device, given: authenticator.assert(body) }
      },
      input: (response) => ({ response }),
      afterwards: ['INVALID_TWO_FACTOR_COOKIE'],
    },
    'a passkey is added': {
      endpoint: 'POST /passkey/verify-registration',
      before: async (app, person) => {
        const device = await signUp(app, person)
        const { body } = await device.get('/passkey/generate-register-options')
        return { device, given: new SoftwareAuthenticator().register(body) }
      },
      input: (response) => ({ response }),
      afterwards: ['PREVIOUSLY_REGISTERED'],
    },
    'a passkey is renamed': {
      endpoint: 'POST /passkey/update-passkey',
      before: passkeyOf,
      input: (id) => ({ id, name: 'Renamed' }),
    },
    'a passkey is deleted': {
      endpoint: 'POST /passkey/delete-passkey',
      before: passkeyOf,
      input: (id) => ({ id }),
      afterwards: ['PASSKEY_NOT_FOUND'],
    },
  },
  withoutFaults: {
    'one record, which is put again': [
      'POST /passkey/generate-sign-up-options',
      'GET /passkey/generate-register-options',
      'POST /passkey/generate-authenticate-options',
      'GET /passkey/generate-authenticate-options',
      'GET /step-up/passkey-options',
      'GET /passkey/second-factor-options',
    ],
  },
  growth: {
    passkeys: {
      list: '/passkey/list-user-passkeys',
      rows: (userId, n) => [
        insertion(passkeys, {
          id: `p${n}`,
          userId,
          publicKey: 'k',
          credentialID: `p${n}`,
          counter: 0,
          deviceType: 'singleDevice',
          backedUp: false,
          aaguid: '',
          createdAt: new Date(n),
        }),
      ],
    },
  },
  securityEvents: {
    'sign-in with a passkey of which the signature is wrong': {
      act: signedUp(async (device, { app, begin }) => {
        const authenticator = await addPasskey(device)
        await begin()
        const visitor = app.device()
        const response = await assertOn(visitor, authenticator)
        response.response.signature = response.response.signature.replace(/.{8}$/, 'AAAAAAAA')
        await answered(visitor.post('/passkey/verify-authentication', { response }), 400)
      }),
      events: ['sign-in-failed'],
    },
    'a passkey is added and removed': {
      act: signedUp(async (device) => {
        await addPasskey(device)
        const { id } = (await device.get('/passkey/list-user-passkeys')).body[0]
        await answered(device.post('/passkey/delete-passkey', { id }))
        await device.post('/passkey/delete-passkey', { id })
      }),
      events: ['passkey-added', 'passkey-removed'],
    },
  },
}
