import * as z from 'zod'
import { parts } from '../../kit/option-schema.ts'
import { defineOptions } from '../../kit/options.ts'
import { providerOptionsShape } from './provider.ts'
import { providers, type SocialProviderOptions } from './providers.ts'

/** Which providers people may sign in with, by provider id: `{ google: { clientId: '...' } }`. */
const byProvider = () =>
  parts(
    Object.fromEntries(
      Object.values(providers).map(({ id, options = {} }) => [id, parts({ ...providerOptionsShape, ...options })]),
    ),
  )

export const socialProviderOptions = defineOptions(
  'socialProviders',
  {} as SocialProviderOptions,
  undefined,
  z.lazy(byProvider),
)
