import { defineOptions } from '../../kit/options.ts'
import type { SocialProviderOptions } from './providers.ts'

/** Which providers people may sign in with, by provider id: `{ google: { clientId: '...' } }`. */
export const socialProviderOptions = defineOptions('socialProviders', {} as SocialProviderOptions)
