import type { Provider, ProviderOptions } from '../model/provider.ts'
import { apple } from './apple.ts'
import { discord } from './discord.ts'
import { dropbox } from './dropbox.ts'
import { facebook } from './facebook.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { google } from './google.ts'
import { kick } from './kick.ts'
import { linkedin } from './linkedin.ts'
import { microsoft } from './microsoft.ts'
import { reddit } from './reddit.ts'
import { roblox } from './roblox.ts'
import { spotify } from './spotify.ts'
import { tiktok } from './tiktok.ts'
import { twitch } from './twitch.ts'
import { twitter } from './twitter.ts'
import { vk } from './vk.ts'
import { zoom } from './zoom.ts'

/** The registry: one line per provider, in the order of the buttons. */
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

export type BuiltInProviderId = keyof typeof providers

type OptionsOf<P> = P extends Provider<infer O> ? O : never

/** Options of `socialProviders` by provider id. */
export type SocialProviderOptions = { [K in BuiltInProviderId]?: OptionsOf<(typeof providers)[K]> }

/** A provider by its id, without the types of its options. */
export function findProvider(id: string): Provider | null {
  if (!Object.hasOwn(providers, id)) return null
  return providers[id as BuiltInProviderId] as unknown as Provider
}

export type { ProviderOptions }
