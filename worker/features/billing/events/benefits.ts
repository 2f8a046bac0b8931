import * as z from 'zod'
import { amount, entity, id, looseEntity, metadata, openEnum, text, unknownValue } from './parts.ts'

const benefitFields = { description: z.string(), selectable: z.boolean(), deletable: z.boolean(), organization_id: id }

/** The public fields of a benefit, at a product. */
export const publicBenefit = entity({ ...benefitFields, type: z.string() })

const benefitOf = <T extends string, P extends z.ZodRawShape>(type: T, properties: P) =>
  entity({ ...benefitFields, type: z.literal(type), metadata, properties: z.looseObject(properties) })

const limits = z.looseObject({ limit: amount, enable_customer_admin: z.boolean() })
const lifetime = z.looseObject({ ttl: amount, timeframe: z.enum(['year', 'month', 'day']) })
const permission = openEnum('pull', 'triage', 'push', 'maintain', 'admin')

const known = [
  benefitOf('custom', { note: text }),
  benefitOf('discord', { guild_id: z.string(), role_id: z.string(), guild_token: z.string().optional() }),
  benefitOf('github_repository', { repository_owner: z.string(), repository_name: z.string(), permission }),
  benefitOf('downloadables', { archived: z.record(z.string(), z.boolean()), files: z.array(z.string()) }),
  benefitOf('license_keys', {
    prefix: text,
    expires: lifetime.nullish(),
    activations: limits.nullish(),
    limit_usage: amount.nullish(),
  }),
  benefitOf('meter_credit', { units: amount, rollover: z.boolean(), meter_id: id }),
] as const

export const benefit = z.union([
  z.discriminatedUnion('type', known),
  entity({ ...benefitFields, type: unknownValue(known.map(({ shape }) => shape.type.value)) }),
])

/** Properties of a granted benefit by type; a custom benefit has no properties. */
export const grantProperties = looseEntity.extend({
  account_id: text,
  guild_id: text,
  role_id: text,
  repository_owner: text,
  repository_name: text,
  permission: permission.nullish(),
  files: z.array(z.string()).nullish(),
  license_key_id: text,
  display_key: text,
})
