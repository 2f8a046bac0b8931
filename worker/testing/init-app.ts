import { config } from 'configuration-of-init'
import type { Config } from '../configuration/read-config.ts'
import { mergeOptions } from '../kit/options.ts'
import { TestApp } from './harness.ts'
import * as people from './people.ts'

/** What other tests turn on, and `init` does not. */
const without: Config = { user: { changeEmail: { enabled: false }, deleteUser: { enabled: false } } }

/** The application with the configuration that `init` writes, on which the steps of the guides run. */
export class InitApp extends TestApp {
  constructor(changes: Config = {}, environment = {}, budgets = true) {
    super(mergeOptions(mergeOptions(without, config), changes), environment, budgets)
  }
}

// The configuration refuses common passwords.
export const alice: people.Person = { ...people.alice, password: 'correct horse battery staple' }
export const bob: people.Person = { ...people.bob, password: 'staple battery horse correct' }
