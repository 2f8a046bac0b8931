import { describe, expect, it } from 'vitest'
import { readConfig } from '../configuration/read-config.ts'
import { contractOf } from '../http/feature.ts'
import { mergeOptions } from '../kit/options.ts'
import { servedFeatures } from '../rpc/served-features.ts'
import { type FaultCase, operationOf } from '../testing/cases.ts'
import { config as common } from '../testing/config.ts'
import { call, expectSound, faultCases } from '../testing/fault-cases.ts'
import { env, TestApp } from '../testing/harness.ts'
import { sample } from '../testing/sample.ts'
import { newPerson } from '../testing/set-ups.ts'
import { toggles, without } from '../testing/without-feature.ts'

const perFeature = 3

/** The cases from another one for each feature, so that together they are most of the cases. */
const casesFrom = (at: number) => {
  const first = (at * perFeature) % faultCases.length
  return [...faultCases.slice(first), ...faultCases.slice(0, first)]
}

/** Whether a case needs nothing that is off. */
async function isPossible(one: FaultCase): Promise<boolean> {
  const person = newPerson()
  try {
    const { device, given } = await one.before(new TestApp({ ...one.config, rateLimit: { enabled: false } }), person)
    return (await call(one, device, person, given)).status < 400
  } catch {
    return false
  }
}

describe.each(sample([...toggles.entries()], 2))('%i: with %s off', (at, name) => {
  it('use cases of other features end well or as a 503 if one piece of I/O fails', async () => {
    const { off } = without(name)
    const disabled = Object.fromEntries([...off].map((one) => [one, { enabled: false }]))
    let run = 0
    for (const [, one] of casesFrom(at)) {
      const config = mergeOptions(one.config ?? {}, disabled)
      const served = servedFeatures(readConfig(mergeOptions(common, config), env).options)
      const operations = served.flatMap((feature) => Object.values(contractOf(feature)).map(operationOf))
      const needed = { ...one, config }
      if (!operations.includes(one.endpoint) || !(await isPossible(needed))) continue
      await expectSound(needed)
      run += 1
      if (run === perFeature) break
    }
    expect(run).toBe(perFeature)
  })
})
