import { vi } from 'vitest'
import { codeOf } from './authenticator.ts'
import type { Device, TestApp } from './harness.ts'
import { alice, type Person, signUp } from './people.ts'

/** Stops the clock in the middle of a TOTP step, so that no test crosses its end. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 })
}

/** Advances the clock, in seconds. */
export function passTime(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000)
}

export interface Protected {
  device: Device
  totpURI: string
  backupCodes: string[]
}

/** A user with two-factor on. Setup uses the code of the previous step: the current and next ones are unused. */
export async function signUpProtected(app: TestApp, person: Person = alice, more: object = {}): Promise<Protected> {
  const device = await signUp(app, person, more)
  const { totpURI, backupCodes } = (await device.post('/two-factor/enable', { password: person.password })).body
  for (;;) {
    const step = currentStep()
    const { status, body } = await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI, -1) })
    if (status === 200) return { device, totpURI, backupCodes }
    // The code was too old if the step has ended since.
    if (step === currentStep()) throw new Error(`verify-totp answered ${status} ${JSON.stringify(body)}`)
  }
}

const currentStep = (): number => Math.floor(Date.now() / 30_000)

/** Sends the password on another device. The response requires the second factor. */
export async function challenge(app: TestApp, { email, password }: Person = alice, more: object = {}): Promise<Device> {
  const device = app.device()
  const { body } = await device.post('/sign-in/email', { email, password, ...more })
  if (body.twoFactorRedirect !== true) throw new Error(`sign-in answered ${JSON.stringify(body)}`)
  return device
}
