import type { Device, TestApp } from './harness.ts'

/** The data of a sign-up. */
export interface Person {
  name: string
  email: string
  password: string
}

export const alice: Person = { name: 'Alice', email: 'alice@example.com', password: 'password1234' }
export const bob: Person = { name: 'Bob', email: 'bob@example.com', password: 'password5678' }

/** Signs a user up on a new device. */
export async function signUp(app: TestApp, person: Person, more: object = {}): Promise<Device> {
  const device = app.device()
  const answer = await device.post('/sign-up/email', { ...person, ...more })
  if (answer.status !== 200) throw new Error(`sign-up answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return device
}

/** Signs a user in on another device. */
export async function signIn(app: TestApp, { email, password }: Person, more: object = {}): Promise<Device> {
  const device = app.device()
  const answer = await device.post('/sign-in/email', { email, password, ...more })
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return device
}
