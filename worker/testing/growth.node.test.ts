import { describe, expect, it } from 'vitest'
import type { Endpoint, EndpointInput } from '../http/endpoint.ts'
import { endpointOfOperation } from '../http/operations.ts'
import { boundlessLists } from './contract.ts'
import { readContracts } from './contracts.ts'
import { readOperations } from './operation-table.ts'

const endpoints = [
  ...(await readContracts()).flatMap(({ contract }) => Object.values(contract) as Endpoint[]),
  ...(await readOperations()).map(({ name, operation }) => endpointOfOperation(name, operation)),
]

/**
 * Records that expire within a day (storage.md), such as those of the general limit and of the budgets of codes and
 * mails.
 */
const isShortLived = (change: string) => change === 'verification'

describe('what a request may create', () => {
  it('has a strict limit per address: an endpoint that changes something, unless it says that it creates nothing', () => {
    const unlimited = endpoints.filter(
      ({ changes, limits: { creates, rate } = {}, access }) =>
        !changes.every(isShortLived) &&
        creates === undefined &&
        !rate &&
        access !== 'webhook' &&
        access !== 'directory' &&
        typeof access === 'string',
    )
    expect(unlimited.map(({ path }) => path)).toEqual([])
  })

  it('has no endpoint that says so without need', () => {
    const idle = endpoints.filter(
      ({ changes, limits: { creates, rate } = {} }) => creates !== undefined && (changes.every(isShortLived) || rate),
    )
    expect(idle.map(({ path }) => path)).toEqual([])
  })
})

describe('what a list answers', () => {
  /** Pages of the billing provider, which are not stored here. */
  const ofProvider = /^\/(customer|usage)\//
  /** The rows of all tables about one user, whose tables have limits. */
  const ofOneUser = ['/api/server/export-user']

  it('has a maximum, which the harness holds every answer against', () => {
    const boundless = endpoints.flatMap(({ path, answer }) =>
      typeof answer === 'string' || ofProvider.test(path) || ofOneUser.includes(path)
        ? []
        : boundlessLists(answer).map((where) => `${path} ${where}`),
    )
    expect([...new Set(boundless)]).toEqual([])
  })

  it('can be read page by page, where the answer is a list', () => {
    const lists = endpoints.filter(({ answer }) => typeof answer !== 'string' && isArray(answer))
    expect(lists.length).toBeGreaterThan(8)
    const whole = lists.filter(({ input, limits }) => !limits?.rate && !hasPages(input?.query))
    // The sessions of one browser, limited by its cookies (multiSession.maximumSessions), and those of one user
    // (session.maxPerUser).
    expect(whole.map(({ path }) => path)).toEqual(['/multi-session/list-device-sessions', '/api/server/list-sessions'])
  })
})

const isArray = (schema: unknown) => (schema as { _zod: { def: { type: string } } })._zod.def.type === 'array'

function hasPages(query: EndpointInput['query']): boolean {
  const { shape } = (query ?? { shape: {} }) as unknown as { shape: object }
  return 'limit' in shape && 'offset' in shape
}
