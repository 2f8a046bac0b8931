import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { days, hours, minutes } from '../../../kit/time.ts'
import { isAddressRange } from '../../../platform/client-address.ts'
import { riskErrors as errors } from '../risk.errors.ts'

export const maxBlocks = 100

const maxListed = 100

/** What `GET /config` returns while sign-ins are assessed. */
export interface OptionalPublicConfiguration {
  features: { risk: true }
}

/** The shortest prefixes: wider ones are continents, not networks. */
const minBits = { ipv4: 8, ipv6: 16 }

function isNetworkRange(text: string): boolean {
  if (!isAddressRange(text)) return false
  const bits = text.split('/')[1]
  return bits === undefined || Number(bits) >= (text.includes(':') ? minBits.ipv6 : minBits.ipv4)
}

const rangeInput = z.string().trim().max(64).refine(isNetworkRange, 'not an address or a range of addresses')

const networkInput = z
  .string()
  .trim()
  .max(64)
  .refine(
    (text) => /^AS[1-9]\d{0,9}$/.test(text) || isNetworkRange(text),
    'not an address, a range of addresses or a number such as AS64500',
  )

const attack = z
  .object({
    id: z.string(),
    /** `network`: too many refused passwords of a network; `password`: too many refusals of one password. */
    kind: z.enum(['network', 'password']),
    /** An IPv4 /24 or an IPv6 /48; null for a password. */
    network: z.string().nullable(),
    /** The autonomous system of the request that passed the limit. */
    asn: z.number().nullable(),
    country: z.string().nullable(),
    startedAt: z.date(),
    /** Until then, the attack counts as one that continues. */
    until: z.date(),
  })
  .meta({ id: 'MeasuredAttack' })

const threats = z.object({
  /** The configured level. */
  level: z.enum(['off', 'notice', 'challenge', 'refuse']),
  /** Until when every unknown device needs a code; null: as configured. */
  raisedUntil: z.date().nullable(),
  blocks: z
    .array(
      z.object({
        id: z.string(),
        network: z.string(),
        createdBy: z.string().nullable(),
        createdAt: z.date(),
        expiresAt: z.date(),
      }),
    )
    .max(maxBlocks),
  /** The newest first. */
  attacks: z.array(attack).max(maxListed),
})

export type Threats = z.output<typeof threats>

const refusals = [core.UNAUTHORIZED, httpErrors.FORBIDDEN] as const
const acts = {
  access: { admin: { user: ['ban'] } },
  accessRules: { recentFor: () => true },
  answer: z.object({ status: z.literal(true) }),
  budget: { d1: 2, read: 600 },
  changes: ['defence'],
} as const
const rate = { rate: { max: 60, window: minutes(10) } }

export const threatsContract = {
  getThreats: get('/admin/threats', {
    summary: 'Returns the newest attacks, the level and the blocked networks',
    access: { admin: { session: ['list'] } },
    answer: threats,
    errors: [...refusals],
    budget: { d1: 1, read: 600 },
    changes: [],
  }),
  raiseLevel: post('/admin/raise-risk-level', {
    ...acts,
    summary: 'Requires a code from every unknown device for a time, or ends that; 0 ends it',
    input: { body: z.object({ duration: z.number().int().min(0).max(days(1)).default(hours(1)) }) },
    errors: [...refusals],
    limits: { ...rate, whenFull: 'secures' },
    audit: 'admin.raise-risk-level',
  }),
  blockNetwork: post('/admin/block-network', {
    ...acts,
    summary: 'Refuses sign-ins, sign-ups and other calls of visitors from a network for a time',
    input: {
      body: z.object({
        network: networkInput,
        duration: z.number().int().min(minutes(5)).max(days(30)).default(days(1)),
      }),
    },
    errors: [...refusals, errors.BLOCK_CONTAINS_YOU, errors.TOO_MANY_BLOCKS],
    limits: { ...rate, whenFull: 'secures' },
    audit: 'admin.block-network',
  }),
  unblockNetwork: post('/admin/unblock-network', {
    ...acts,
    summary: 'Ends the block of a network',
    input: { body: z.object({ id: z.string().min(1).max(64) }) },
    errors: [...refusals, errors.BLOCK_NOT_FOUND],
    limits: { creates: 'ends' },
    audit: 'admin.unblock-network',
  }),
  endNetworkSessions: post('/admin/end-network-sessions', {
    summary:
      'Ends all sessions that began at the addresses of a range, but not the own one, in pieces after the response',
    access: { admin: { session: ['revoke'] } },
    accessRules: { recentFor: () => true },
    input: { body: z.object({ network: rangeInput }) },
    answer: z.object({ status: z.literal(true) }),
    errors: [...refusals],
    budget: { d1: 2 },
    changes: ['session'],
    limits: { creates: 'ends' },
    audit: 'admin.end-network-sessions',
  }),
  exportAttacks: post('/admin/export-attacks', {
    summary: 'Returns the measured attacks of the last 90 days as a CSV file, newest first',
    access: { admin: { session: ['list'] } },
    answer: 'csv',
    errors: [...refusals],
    limits: { rate: { max: 20, window: minutes(10) } },
    budget: { d1: 3, read: 6000 },
    changes: ['audit'],
    audit: 'admin.export-attacks',
  }),
}
