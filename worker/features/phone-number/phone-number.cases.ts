import type { FeatureCases } from '../../testing/cases.ts'
import type { Device, TestApp } from '../../testing/harness.ts'
import { alice, type Person, signUp } from '../../testing/people.ts'
import { codeTo } from '../../testing/set-ups.ts'
import { answered, signedUp, userCreation } from '../../testing/ways.ts'

const numberOf = ({ email }: Person) => `+1555${email.replace(/\D/g, '').padStart(7, '0')}`

async function textedTo(app: TestApp, phoneNumber: string, device: Device = app.device()): Promise<string> {
  await device.post('/phone-number/send-otp', { phoneNumber })
  return codeTo(app, phoneNumber)
}

const number = '+15550001111'

async function proveNumber(app: TestApp, device: Device, more: object = {}, phoneNumber = number): Promise<void> {
  const code = await textedTo(app, phoneNumber, device)
  await answered(device.post('/phone-number/verify', { phoneNumber, code, ...more }))
}

/** A user with a password and a verified phone number. */
const withNumber = async (app: TestApp, person: Person): Promise<void> =>
  proveNumber(app, await signUp(app, person), { updatePhoneNumber: true }, numberOf(person))

export const cases: FeatureCases = {
  config: { phoneNumber: { signUpOnVerification: true } },
  faults: {
    'sign-up with a number': {
      endpoint: 'POST /phone-number/verify',
      before: async (app, person) => ({ device: app.device(), given: await textedTo(app, numberOf(person)) }),
      input: (code, person) => ({ phoneNumber: numberOf(person), code }),
      afterwards: ['INVALID_OTP', 'OTP_NOT_FOUND'],
    },
    'a number is confirmed': {
      endpoint: 'POST /phone-number/verify',
      before: async (app, person) => {
        const device = await signUp(app, person)
        return { device, given: await textedTo(app, numberOf(person), device) }
      },
      input: (code, person) => ({ phoneNumber: numberOf(person), code, updatePhoneNumber: true }),
      afterwards: ['INVALID_OTP', 'OTP_NOT_FOUND'],
    },
    'sign-in with a number and a password': {
      endpoint: 'POST /sign-in/phone-number',
      before: async (app, person) => {
        await withNumber(app, person)
        return { device: app.device() }
      },
      input: (_given, person) => ({ phoneNumber: numberOf(person), password: person.password }),
    },
    'reset by a texted code': {
      endpoint: 'POST /phone-number/reset-password',
      before: async (app, person) => {
        await withNumber(app, person)
        const device = app.device()
        await device.post('/phone-number/request-password-reset', { phoneNumber: numberOf(person) })
        return { device, given: await codeTo(app, numberOf(person)) }
      },
      input: (otp, person) => ({
        phoneNumber: numberOf(person),
        otp,
        newPassword: 'another-password',
      }),
      afterwards: ['INVALID_OTP', 'OTP_NOT_FOUND'],
    },
  },
  withoutFaults: {
    'one record, which is put again': ['POST /phone-number/send-otp', 'POST /phone-number/request-password-reset'],
    'another name of a path': ['POST /phone-number/forget-password'],
  },
  events: {
    'sign-up by number': { act: ({ app }) => proveNumber(app, app.device()), ...userCreation },
    'a number becomes theirs': {
      act: signedUp((device, { app }) => proveNumber(app, device, { updatePhoneNumber: true })),
      events: ['user.updated'],
      hooks: ['updatingUser', 'userUpdated'],
    },
    'a claimed number is proven': {
      act: async ({ app, begin }) => {
        const device = await signUp(app, alice, { phoneNumber: number })
        await begin()
        await proveNumber(app, device, { disableSession: true })
      },
      events: ['user.updated'],
      hooks: ['userUpdated'],
    },
    'a password is reset by text message': {
      act: signedUp(async (device, { app, begin }) => {
        await proveNumber(app, device, { updatePhoneNumber: true })
        await app.device().post('/phone-number/forget-password', { phoneNumber: number })
        await begin()
        const otp = await codeTo(app, number)
        await answered(
          app
            .device()
            .post('/phone-number/reset-password', { phoneNumber: number, otp, newPassword: 'another-password' }),
        )
      }),
      events: ['session.ended', 'password.reset'],
      hooks: ['passwordReset'],
    },
  },
  securityEvents: {
    'a number is added, changed and removed': {
      act: signedUp(async (device, { app }) => {
        await proveNumber(app, device, { updatePhoneNumber: true })
        await proveNumber(app, device, { updatePhoneNumber: true }, '+15550002222')
        await answered(device.post('/update-user', { phoneNumber: null }))
      }),
      events: ['phone-number-added', 'phone-number-changed', 'phone-number-removed'],
    },
  },
}
