import type { Provider, ProviderOptions } from './provider.ts'
import { apple } from './providers/apple.ts'
import { discord } from './providers/discord.ts'
import { dropbox } from './providers/dropbox.ts'
import { facebook } from './providers/facebook.ts'
import { github } from './providers/github.ts'
import { gitlab } from './providers/gitlab.ts'
import { google } from './providers/google.ts'
import { kick } from './providers/kick.ts'
import { linkedin } from './providers/linkedin.ts'
import { microsoft } from './providers/microsoft.ts'
import { reddit } from './providers/reddit.ts'
import { roblox } from './providers/roblox.ts'
import { spotify } from './providers/spotify.ts'
import { tiktok } from './providers/tiktok.ts'
import { twitch } from './providers/twitch.ts'
import { twitter } from './providers/twitter.ts'
import { vk } from './providers/vk.ts'
import { zoom } from './providers/zoom.ts'

/** THE registry: one line per provider, in the order in which they are offered. */
export const providers = {
  apple,
  discord,
  facebook,
  github,
  microsoft,
  google,
  spotify,
  twitch,
  twitter,
  dropbox,
  kick,
  linkedin,
  gitlab,
  tiktok,
  reddit,
  roblox,
  vk,
  zoom,
}

export type ProviderId = keyof typeof providers

type OptionsOf<P> = P extends Provider<infer O> ? O : never

/** Options of `socialProviders` by provider id. */
export type SocialProviderOptions = { [K in ProviderId]?: OptionsOf<(typeof providers)[K]> }

/** A provider by its id. What its own options hold is known to it alone. */
export function findProvider(id: string): Provider | null {
  if (!Object.hasOwn(providers, id)) return null
  return providers[id as ProviderId] as unknown as Provider
}

export type { ProviderOptions }
