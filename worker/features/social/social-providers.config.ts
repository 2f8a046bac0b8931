import * as z from 'zod'
import { defineOptions, parts } from '../../kit/options.ts'
import { providerOptionsShape } from './model/provider.ts'
import { providers, type SocialProviderOptions } from './providers/providers.ts'

/** The options of each provider, by id: `{ google: { clientId: '...' } }`. */
const byProvider = () =>
  parts(
    Object.fromEntries(
      Object.values(providers).map(({ id, options = {} }) => [id, parts({ ...providerOptionsShape(), ...options })]),
    ),
  ) as unknown as z.ZodType<SocialProviderOptions, SocialProviderOptions>

export const socialProviderOptions = defineOptions('socialProviders', () => z.lazy(byProvider).default({}))
